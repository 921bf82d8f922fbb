"""A folder whose programs have the names of helpers, and a PATH that leads into it: none of them runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.wakeful import COMMAND, environment

NAMES = ("bwrap", "rg", "git", "bash", "sh", "tmux", "ls", "cat", "make", "python3", "xdg-open", "vi", "nano")
PATHS = ("", ".", "bin", "{root}", "{root}/bin", "{root}/../project/bin")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "project"
    for folder in (project, project / "bin"):
        folder.mkdir()
        for name in NAMES:
            program = folder / name
            program.write_text(f"#!/bin/sh\n/bin/touch {tmp_path}/ran-{name}\n")
            program.chmod(0o755)
    (project / "README").write_text("TODO: nothing\n")
    return project


@pytest.mark.parametrize("entry", PATHS)
def test_no_program_of_the_folder_stands_in_for_a_helper(project: Path, tmp_path: Path, entry: str):
    path = f"{entry.format(root=project)}:/usr/bin:/bin"
    variables = environment(tmp_path / "home", PATH=path, TMUX="/nowhere,1,0", COLORTERM="truecolor")
    lines = "".join(
        json.dumps({"tool": "shell", "subject": command}) + "\n"
        for command in ("ls", "cat README", "git log")
    )

    for arguments in (["run", "find the TODO comments"], ["doctor"], ["permissions", "check", "--json"]):
        subprocess.run(
            [*COMMAND, *arguments],
            cwd=project,
            env=variables,
            input=lines,
            capture_output=True,
            check=False,
            text=True,
        )

    assert [found.name for found in tmp_path.glob("ran-*")] == []


@pytest.mark.parametrize("editor", ["", "vi", "./vi"])
def test_no_program_of_the_folder_stands_in_for_the_editor(project: Path, tmp_path: Path, editor: str):
    script = (
        "import asyncio, os; from tui.prompting.editor import edited; asyncio.run(edited('x', os.environ))"
    )
    variables = {**os.environ, "PATH": f".:{project}", "EDITOR": editor, "VISUAL": ""}

    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project,
        env=variables,
        capture_output=True,
        check=False,
        text=True,
    )

    assert "DoorError" in done.stderr
    assert [found.name for found in tmp_path.glob("ran-*")] == []
