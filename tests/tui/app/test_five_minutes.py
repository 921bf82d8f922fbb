from pathlib import Path

from tests.programs import need
from tests.tui.app.five_minutes import inside_tmux, walk
from tests.tui.repl.conftest import WAKEFUL


def test_the_first_five_minutes_are_as_the_readme_tells(project: Path, environment: dict[str, str]):
    need("tmux")
    steps: list[str] = []
    with inside_tmux(WAKEFUL, environment, project) as terminal:
        walk(terminal, WAKEFUL, steps.append)

    assert len(steps) == 8
