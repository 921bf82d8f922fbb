from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.wakeful import wakeful


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (["git status"], "allow"),
        (["touch x"], "ask"),
        (["--allow", "shell make test *", "make test"], "allow"),
        (["--allow", "shell make test *", "make test > bar"], "ask"),
        (["--tool", "read", "a.txt"], "allow"),
        (["--tool", "write", ".git/config"], "deny"),
        (["--tool", "read/write", "a.txt"], "ask"),
        (["--tool", "write", "--allow", "edit *.txt", "a.txt"], "allow"),
    ],
)
def test_check_says_the_verdict_and_the_reason(tmp_path: Path, arguments: list[str], verdict: str) -> None:
    home, folder = tmp_path / "home", tmp_path / "ws"
    folder.mkdir()

    done = wakeful(home, "permissions", "check", *arguments, cwd=folder)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{verdict}: ")


def test_rules_of_the_config_count(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("permissions.rules = ['deny shell git *']\n")

    assert wakeful(tmp_path, "permissions", "check", "git status").stdout.startswith("deny: ")


@pytest.mark.parametrize("arguments", [[], ["--allow", "shell", "ls"]])
def test_half_a_question_is_a_usage_error(tmp_path: Path, arguments: list[str]) -> None:
    assert wakeful(tmp_path, "permissions", "check", *arguments).returncode == 2


def test_json_lines_get_one_answer_each_and_bad_ones_too(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    rows = [
        '{"tool": "shell", "command": "make test", "allow": ["make test*"]}',
        '{"tool": "shell", "command": "make test", "allow": []}',
        '{"tool": "write", "path": "src/a.py", "allow": ["src/**"]}',
        '{"tool": "read", "path": "/proc/self/environ"}',
        '{"tool": "shell", "command": "ls\\u0000x"}',
        '{"tool": "shell", "command": "\\ud800"}',
        "not json", "", "[]", "1", '{"tool": 1, "command": "ls"}', '{"command": null}',
        '{"command": "ls", "allow": 1}',
        '{"command": "ls", "allow": [1]}', "[" * 100_000,
        '{"tool": "shell", "command": "ls"}',
    ]  # fmt: skip

    done = subprocess.run(
        [Path(sys.executable).with_name("wakeful"), "permissions", "check", "--json"],
        input="\n".join(rows).encode() + b"\n\xff\n",
        capture_output=True,
        cwd=tmp_path / "ws",
        env={"WAKEFUL_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        check=True,
    )

    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert verdicts[:6] == ["allow", "ask", "allow", "deny", "deny", "deny"]
    assert verdicts[6:-2] == ["deny"] * 9
    assert verdicts[-2:] == ["allow", "deny"]
