"""`wakeful` on a real terminal, in a project and a home of its own."""

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tui.repl.conftest import WAKEFUL, Start, environment, project

__all__ = ["environment", "project"]


@pytest.fixture
def start(project: Path, environment: dict[str, str]) -> Generator[Start, None, None]:
    with ExitStack() as stack:

        def started(*words: str, columns: int = 100, rows: int = 30, **more: str) -> Terminal:
            argv, env = [WAKEFUL, "-m", "offline", *words], environment | more
            terminal = Terminal(argv, env=env, cwd=project, columns=columns, rows=rows)
            return stack.enter_context(terminal)

        yield started
