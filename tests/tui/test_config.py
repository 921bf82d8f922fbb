from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.tui.wakeful import wakeful


def test_every_value_is_shown_with_its_origin(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[wake]\nmax_cycles = 3\n")

    done = wakeful(tmp_path, "config", "--set", "ui.theme=nord", WAKEFUL_TODOS_DIALECT="skills")

    lines = [[part.strip() for part in line.split("  #")] for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert ["wake.max_cycles = 3", f"{tmp_path}/config.toml:2"] in lines
    assert ['ui.theme = "nord"', "--set"] in lines
    assert ['todos.dialect = "skills"', "env WAKEFUL_TODOS_DIALECT"] in lines
    assert ["wake.stagnation = 3", "default"] in lines


def test_as_json_it_is_one_object(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "config", "--json")

    assert json.loads(done.stdout)["budget.max_cost"] == {"value": None, "origin": "default"}


def test_get_prints_the_bare_value(tmp_path: Path) -> None:
    assert wakeful(tmp_path, "config", "get", "todos.dialect").stdout == "standard\n"


@pytest.mark.parametrize("arguments", [["--json", "get", "ui.glyphs"], ["get", "ui.glyphs", "--json"]])
def test_get_gives_json_wherever_the_flag_stands(tmp_path: Path, arguments: list[str]) -> None:
    done = wakeful(tmp_path, "config", *arguments)

    assert json.loads(done.stdout) == {"ui.glyphs": {"value": "auto", "origin": "default"}}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["get", "ui.thme"], "unknown key ui.thme; did you mean ui.theme?"),
        (["get", "providers.x"], "providers.x is not set; wakeful config lists what is"),
        (["set", "ui.thme", "x"], "config set: unknown key ui.thme; did you mean ui.theme?"),
        (
            ["set", "wake.max_cycles", "many"],
            "config set: bad value for wake.max_cycles: should be a valid integer, not 'many'",
        ),
        (
            ["set", "todos.dialects", "x"],
            "config set: todos.dialects is a group of settings, not a value; set todos.dialects.… instead",
        ),
        (["--set", "ui.thme=x"], "--set: unknown key ui.thme; did you mean ui.theme?"),
    ],
)
def test_a_mistake_is_one_line_and_exit_1(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    done = wakeful(tmp_path, "config", *arguments)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"wakeful: {complaint}\n")
    assert not (tmp_path / "config.toml").exists()


def test_set_makes_a_private_file_and_get_reads_it(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"

    saved = wakeful(home, "config", "set", "permissions.rules", '["deny shell rm *"]', cwd=tmp_path)

    file = home / "config.toml"
    assert (saved.returncode, saved.stdout, saved.stderr) == (0, "", "")
    assert file.read_text() == '[permissions]\nrules = ["deny shell rm *"]\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert wakeful(home, "config", "get", "permissions.rules").stdout == '["deny shell rm *"]\n'


def test_set_keeps_comments_mode_and_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("# mine\n[wake] # often\nmax_cycles = 3 # not more\n")
    kept.chmod(0o640)
    (tmp_path / "config.toml").symlink_to(kept)

    wakeful(tmp_path, "config", "set", "wake.max_cycles", "5")

    assert kept.read_text() == "# mine\n[wake] # often\nmax_cycles = 5 # not more\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert (tmp_path / "config.toml").is_symlink()


def test_set_mends_one_mistake_among_others(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[wake]\nmax_cycles = 'x'\nstagnation = 'y'\n")

    done = wakeful(tmp_path, "config", "set", "wake.max_cycles", "5")

    assert file.read_text() == "[wake]\nmax_cycles = 5\nstagnation = 'y'\n"
    assert f"{file}:3: bad value for wake.stagnation" in done.stderr


def test_set_leaves_a_file_that_is_no_toml_alone(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[wake\n")

    done = wakeful(tmp_path, "config", "set", "wake.max_cycles", "5")

    assert done.returncode == 1
    assert done.stderr.startswith(f"wakeful: {file}:1: not TOML")
    assert file.read_text() == "[wake\n"


def test_set_says_when_another_layer_wins(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "config", "set", "ui.theme", "nord", WAKEFUL_UI_THEME="other")

    assert done.returncode == 0
    assert done.stderr == "wakeful: note: saved, but here env WAKEFUL_UI_THEME wins\n"


def test_a_key_pasted_into_a_setting_reaches_neither_screen_nor_log(tmp_path: Path) -> None:
    canary = "plain canary 0815"

    done = wakeful(tmp_path, "config", "set", "providers.x.key_env", canary, "--debug")

    assert done.returncode == 1
    assert canary not in done.stdout + done.stderr
    assert canary not in (tmp_path / "wakeful.log").read_text()


def test_an_untrusted_folder_is_named_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "project" / ".wakeful").mkdir(parents=True)
    (tmp_path / "project" / ".wakeful" / "config.toml").write_text("ui.theme = 'evil'\n")

    done = wakeful(tmp_path, "config", "get", "ui.theme", cwd=tmp_path / "project")

    assert done.stdout == "wakeful\n"
    assert "is not read: this folder is not trusted" in done.stderr
