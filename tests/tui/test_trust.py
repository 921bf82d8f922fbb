from __future__ import annotations

from pathlib import Path

from tests.tui.wakeful import wakeful


def test_models_of_a_folder_are_named_and_agreed_to_once(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / ".wakeful").mkdir(parents=True)
    (folder / ".wakeful" / "config.toml").write_text("model.default = 'openai/dear'\n")

    plain = wakeful(tmp_path, "trust", cwd=folder)
    agreed = wakeful(tmp_path, "trust", "--models", cwd=folder)
    again = wakeful(tmp_path, "trust", "--models", cwd=folder)

    assert plain.stdout.splitlines() == [
        f"{folder} is trusted",
        "not agreed yet: model.default = openai/dear; --models agrees",
    ]
    assert agreed.stdout.splitlines()[1:] == ["agreed: model.default = openai/dear"]
    assert again.stdout.splitlines() == [f"{folder} is trusted"]


def test_no_trust_is_taken_and_given_at_once(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "trust", "--revoke", "--models")

    assert done.returncode == 2
    assert "contradict each other" in done.stderr


def test_what_is_shown_of_a_folder_is_what_is_in_force_there(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    (folder / ".wakeful").mkdir(parents=True)
    settings = "ui.theme = 'theirs'\nmodel.default = 'openai/dear'\npermissions.rules = ['deny shell ls *']\n"
    (folder / ".wakeful" / "config.toml").write_text(settings)

    def shown() -> tuple[str, str, str]:
        theme = wakeful(home, "config", "get", "ui.theme", cwd=folder).stdout.strip()
        ruled = wakeful(home, "permissions", "check", "ls -l", cwd=folder).stdout
        doctor = wakeful(home, "doctor", cwd=folder).stdout
        return theme, ruled.partition(":")[0], doctor

    before = shown()
    wakeful(home, "trust", cwd=folder)
    after = shown()

    assert before[:2] == ("wakeful", "allow")
    assert "is not read: this folder is not trusted" in before[2]
    assert after[:2] == ("theirs", "deny")
    assert "not trusted" not in after[2]
    assert "model.default = openai/dear is not used until you agree" in after[2]


def test_doctor_names_keys_that_others_can_read(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text("")
    (tmp_path / "keys.toml").chmod(0o644)

    done = wakeful(tmp_path, "doctor")

    assert f"{tmp_path / 'keys.toml'} can be read by others" in done.stdout
    assert f"chmod 600 {tmp_path / 'keys.toml'}" in done.stdout
