"""`wakeful repl` on a real terminal, in a project and a home of its own."""

import os
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal import Terminal

WAKEFUL = str(Path(sys.executable).with_name("wakeful"))

Start = Callable[..., Terminal]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Demo\n\nA small demo.\n")
    (folder / "calc.py").write_text("def add(a, b):\n    return a + b  # TODO: check types\n")
    (folder / "Makefile").write_text("test:\n\t@echo all 3 tests passed\n")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "WAKEFUL_HOME": str(tmp_path / "home"),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
    }


@pytest.fixture
def start(project: Path, environment: dict[str, str]) -> Generator[Start, None, None]:
    with ExitStack() as stack:

        def started(*words: str, columns: int = 80, rows: int = 24, **more: str) -> Terminal:
            argv = [WAKEFUL, "repl", *words]
            env = environment | more
            terminal = Terminal(argv, env=env, cwd=project, columns=columns, rows=rows)
            return stack.enter_context(terminal)

        yield started
