"""The app with a model of a test's own: `python -m tests.tui.app.scripted STORY[:ENDING] [KEY=VALUE…]`."""

import os
import sys
from pathlib import Path

from agent.models.scripted import Scripted
from agent.opening import Opening
from agent.paths import Paths
from tests.tui.app import foreign, stories
from tui.doors.app import present


def main(story: str, *assignments: str) -> int:
    name, _, ending = story.partition(":")
    paths = Paths.from_environment(os.environ)
    opening = Opening(
        paths=paths,
        environment=os.environ,
        root=Path.cwd(),
        assignments=assignments,
        model=_model(name, ending),
        # One whose context and price are known, so that both are shown.
        model_name="anthropic/claude-sonnet-4-5",
        allow=("shell python3 check.py", f"shell {foreign.SHOW}"),
    )
    return present(opening, [])


def _model(name: str, ending: str) -> Scripted:
    match name:
        case "login":
            return stories.login(ending=ending)
        case "foreign":
            return foreign.foreign()
        case _:
            raise SystemExit(f"no story named {name}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
