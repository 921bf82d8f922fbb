"""Commands that users write themselves: Markdown files that become prompts."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from agent.commands.errors import CommandError
from agent.commands.registry import Argument, Command, Context, Kind
from agent.commands.results import Prompt, Result
from agent.opening import Opened
from agent.paths import lies_within
from store.frozen import frozen

PLACE = "$ARGUMENTS"
_ARGUMENTS = Kind("ARGUMENTS", rest=True)
_NAME = re.compile(r"[A-Za-z][\w-]*")
_FRONT = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^(description|agent|subtask):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)


@frozen
class _Written:
    """The prompt, the line of help (the description, else the first line), and who is to do it."""

    text: str
    help: str
    agent: str = ""
    subtask: bool = False


def folders(opened: Opened) -> list[Path]:
    """The user's own last, so that no project can put its words in place of theirs."""
    theirs = [_project_folder(opened)] if opened.trusted else []
    return [*theirs, opened.opening.paths.config_folder / "commands"]


def written(opened: Opened) -> Iterator[Command]:
    for folder in folders(opened):
        for file in sorted(folder.glob("*.md")):
            theirs = folder == _project_folder(opened)
            if _NAME.fullmatch(file.stem) and (not theirs or lies_within(file, folder.parents[1])):
                yield _command(file)


def _project_folder(opened: Opened) -> Path:
    return Path(opened.workshop.record.workspace) / ".wakeful" / "commands"


def _command(file: Path) -> Command:
    written = _read(file)
    argument = Argument(_ARGUMENTS, required=False)
    return Command(file.stem.lower(), written.help, _run(file), (argument,) if PLACE in written.text else ())


def _run(file: Path) -> Callable[..., Awaitable[Result]]:
    async def run(context: Context, arguments: str = "") -> Result:
        # Read again, so that an edit counts at once.
        written = _read(file)
        if not written.text:
            raise CommandError(f"{file} has no text", "write the prompt into it")
        current = context.opened.workshop.agent.name
        return Prompt(written.text.replace(PLACE, arguments), _unsupported(file, written, current))

    return run


def _read(file: Path) -> _Written:
    try:
        whole = file.read_text("utf-8", "replace").replace("\r\n", "\n")
    except OSError as error:
        return _Written("", f"cannot be read: {error.strerror}")
    front = _FRONT.match(whole)
    text = (whole[front.end() :] if front else whole).strip()
    fields = {key.lower(): value.strip() for key, value in _FIELD.findall(front[1])} if front else {}
    first = fields.get("description") or text.partition("\n")[0].lstrip("# ")
    subtask = fields.get("subtask", "").lower() in ("true", "yes")
    return _Written(text, first[:80] or "an empty command", fields.get("agent", ""), subtask)


def _unsupported(file: Path, written: _Written, current: str) -> str:
    """Say which wishes of the front matter this version does not carry out."""
    other = written.agent if written.agent != current else ""
    if not (other or written.subtask):
        return ""
    wish = f"agent {other}" if other else "a subtask"
    wish += " as a subtask" if other and written.subtask else ""
    return f"{file.name} asks for {wish}; commands cannot start another agent yet, so {current} does it here"
