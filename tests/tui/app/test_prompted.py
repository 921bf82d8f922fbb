"""`wakeful PROMPT` on a real terminal."""

import os
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tui.wakeful import COMMAND


@pytest.mark.parametrize("words", [["survey", "this", "project"], ["survey this project"]])
def test_words_that_name_no_command_are_what_the_app_begins_with(tmp_path: Path, words: list[str]):
    (tmp_path / "README.md").write_text("# Demo\n")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "WAKEFUL_HOME": str(tmp_path / "home"),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }

    with Terminal(
        [*COMMAND, *words, "-m", "offline"], env=environment, cwd=tmp_path, columns=120, rows=40
    ) as terminal:
        terminal.wait_for("all done", on_screen=True)

        assert "survey this project" in terminal.shown
