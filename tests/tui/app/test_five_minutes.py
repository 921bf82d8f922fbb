from pathlib import Path

import pytest

from tests.tui.app.five_minutes import inside_tmux, tmux, walk
from tests.tui.repl.conftest import WAKEFUL


@pytest.mark.skipif(tmux() is None, reason="tmux is not installed")
def test_the_first_five_minutes_are_as_the_readme_tells(project: Path, environment: dict[str, str]):
    steps: list[str] = []
    with inside_tmux(WAKEFUL, environment, project) as terminal:
        walk(terminal, WAKEFUL, steps.append)

    assert len(steps) == 8
