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
