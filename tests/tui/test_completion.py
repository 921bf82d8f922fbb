from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import need
from tests.tui.wakeful import environment, wakeful
from tui.cli import DOORS

# Asks bash itself what it would offer for a line that ends in the last word.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
spec=$(complete -p wakeful) && [[ $spec == *"-F _wakeful"* ]] || exit 9
_wakeful
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    file = home / "wakeful.bash"
    file.write_text(wakeful(home, "completion", "bash").stdout)
    return file


def offered(script: Path, *words: str, cwd: Path | None = None) -> list[str]:
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", ASK, "ask", str(script), *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_offers_every_door_first(bash_script: Path) -> None:
    assert offered(bash_script, "wakeful", "")[: len(DOORS)] == list(DOORS)


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        (["doc"], ["doctor"]),
        (["doctor", "--j"], ["--json"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["config", "g"], ["get"]),
        (["config", "get", "wake.max_"], ["wake.max_cycles", "wake.max_minutes", "wake.max_tokens"]),
        (["--set", "ui.th"], ["ui.theme="]),
        (["config", "get", "--set", "ui.th"], ["ui.theme="]),
        (["-C", "doctor", "conf"], ["config"]),
        (["sessions", "d"], ["delete"]),
        (["sessions", "list", "--j"], ["--json"]),
        (["todos", "in"], ["in_progress"]),
        (["todos", "high", "--j"], ["--json"]),
        (["todo", "d"], ["done", "describe", "delete"]),
        (["todo", "done", "--s"], ["--session", "--set"]),
        (["--set", "ui.theme", "=", ""], []),
    ],
)
def test_bash_offers_what_fits_there(bash_script: Path, words: list[str], offers: list[str]) -> None:
    found = [
        each for each in offered(bash_script, "wakeful", *words) if words[-1] or not each.startswith("-")
    ]

    assert found == offers


@pytest.mark.parametrize("words", [["sessions", "show", ""], ["repl", "-r", ""], ["todos", "--session", ""]])
def test_bash_offers_the_sessions_of_this_folder(
    bash_script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    wakeful(tmp_path, "run", "hello")
    listed = json.loads(wakeful(tmp_path, "sessions", "--json").stdout)["sessions"]
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")

    found = offered(bash_script, "wakeful", *words, cwd=tmp_path)

    assert [each for each in found if not each.startswith("-")] == [each["id"] for each in listed]
    assert len(listed) == 1


def test_bash_offers_folders_where_one_is_wanted(bash_script: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()

    assert offered(bash_script, "wakeful", "doctor", "-C", "f", cwd=tmp_path) == ["folder"]


@pytest.mark.parametrize(("shell", "check"), [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
def test_each_shell_accepts_its_script(tmp_path: Path, shell: str, check: str) -> None:
    need(shell)
    file = tmp_path / "script"
    file.write_text(wakeful(tmp_path, "completion", shell).stdout)

    done = subprocess.run([shell, check, str(file)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_script_knows_options_choices_and_keys(tmp_path: Path, shell: str) -> None:
    text = wakeful(tmp_path, "completion", shell).stdout

    assert all(word in text for word in [*DOORS, "json", "debug", "config/get", "todos.dialect", "zsh"])


def test_an_unknown_shell_is_a_usage_error(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "completion", "tcsh")

    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
