"""A door with a model of a test's own: `python -m tests.tui.scripted HOW [linear|app]`."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

from agent.models.protocol import Chunk, Request
from agent.models.scripted import Scripted, said
from agent.opening import Opening
from agent.paths import Paths
from tests.attacks import attacks
from tui.doors.app import present
from tui.repl.sitting import sit


class Broken:
    """Fails in a way nobody foresaw."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        del request
        raise RuntimeError("unforeseen")
        yield

    async def close(self) -> None:
        pass


def hostile() -> Scripted:
    """Says, plans, reads, runs and asks whatever is in the attack sample."""
    rows = [row.text.encode("utf-8", "replace").decode() for row in attacks("escape", "path")]
    texts = [text for text in rows if not text.isprintable() and "\0" not in text and len(text) < 2_000]
    name = next(path.name for path in Path.cwd().iterdir() if path.name.startswith("evil\x1b"))
    answers = [said(text, ("todo_add", {"title": "".join(text.splitlines())[:150]})) for text in texts]
    listing = [("glob", {"pattern": "*"}), ("shell", {"command": "ls -1"}), ("read", {"path": name})]
    answers += [said("", call) for call in listing]
    answers += [said("", ("shell", {"command": f"cat {number}.txt"})) for number in range(3)]
    answers.append(said("", ("ask_user", {"question": texts[0], "choices": texts[1:4]})))
    answers.append(said("", ("todo_complete", {"all": True})))
    answers.append(said("THE END"))
    return Scripted(answers)


def serving() -> Scripted:
    """Begins a job in the background."""
    return Scripted([said("", ("shell", {"command": "sleep 1000", "background": True})), said("It runs.")])


MODELS = {"broken": Broken, "hostile": hostile, "job": serving}


def main(how: str) -> int:
    opening = Opening(
        paths=Paths.from_environment(os.environ),
        environment=os.environ,
        root=Path.cwd(),
        model=MODELS[how](),
        attended=sys.stdin.isatty(),
        allow=("shell cat *", "shell ls *", "shell sleep *"),
    )
    if "app" in sys.argv:
        return present(opening, [])
    return asyncio.run(sit(opening, "", linear="linear" in sys.argv))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
