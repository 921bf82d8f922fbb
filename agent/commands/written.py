"""Commands that users write themselves: Markdown files that become prompts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from agent.commands.errors import CommandError
from agent.commands.registry import Argument, Command, Context, Kind
from agent.commands.results import Prompt, Result
from agent.opening import Opened

PLACE = "$ARGUMENTS"
_ARGUMENTS = Kind("ARGUMENTS", rest=True)
_NAME = re.compile(r"[A-Za-z][\w-]*")
_FRONT = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_DESCRIPTION = re.compile(r"^description:[ \t]*(.+)$", re.MULTILINE)


def folders(opened: Opened) -> list[Path]:
    """The user's own last, so that no project can put its words in place of theirs."""
    theirs = [Path(opened.workshop.record.workspace) / ".wakeful" / "commands"] if opened.trusted else []
    return [*theirs, opened.opening.paths.config_folder / "commands"]


def written(opened: Opened) -> Iterator[Command]:
    for folder in folders(opened):
        for file in sorted(folder.glob("*.md")):
            if _NAME.fullmatch(file.stem):
                yield _command(file)


def _command(file: Path) -> Command:
    text, help_ = _parts(file)
    argument = Argument(_ARGUMENTS, required=False)
    return Command(file.stem.lower(), help_, _run(file), (argument,) if PLACE in text else ())


def _run(file: Path) -> Callable[..., Awaitable[Result]]:
    async def run(context: Context, arguments: str = "") -> Result:
        del context
        # Read again, so that an edit counts at once.
        text, _ = _parts(file)
        if not text:
            raise CommandError(f"{file} has no text", "write the prompt into it")
        return Prompt(text.replace(PLACE, arguments))

    return run


def _parts(file: Path) -> tuple[str, str]:
    """The prompt, and the line of help: the description of the front matter, else the first line."""
    try:
        whole = file.read_text("utf-8", "replace").replace("\r\n", "\n")
    except OSError as error:
        return "", f"cannot be read: {error.strerror}"
    front = _FRONT.match(whole)
    text = (whole[front.end() :] if front else whole).strip()
    described = _DESCRIPTION.search(front[1]) if front else None
    first = described[1].strip() if described else text.partition("\n")[0].lstrip("# ")
    return text, first[:80] or "an empty command"
