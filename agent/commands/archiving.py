"""What becomes of a session: forked, exported, searched, deleted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from agent.commands.errors import CommandError
from agent.commands.kinds import number, one_of
from agent.commands.registry import Completion, Context, Kind, command, take_word
from agent.commands.results import Confirm, Found, Option, Picker, Reopen, Result, Text
from agent.commands.sessions import NAMED, find
from agent.rewind.cleanup import sweep
from store import lock, messages, sessions
from store.clock import age
from store.records import Message
from store.search import search

_SHOWN = 200
_LABEL = 80


async def _spoken(context: Context, typed: str) -> list[Completion]:
    del typed
    return [
        Completion(str(each.id), f"{each.id} {_label(each)}", f"{age(each.created_at)} ago")
        for each in await _said(context)
    ]


async def _formats(context: Context, typed: str) -> list[Completion]:
    del context, typed
    return [
        Completion("html", "html", "a page to read or show"),
        Completion("md", "md", "Markdown"),
        Completion("json", "json", "to import elsewhere"),
    ]


MESSAGE = Kind("all|MESSAGE", lambda word: 0 if word == "all" else number(word), _spoken)
TARGET = Kind("html|md|json|FILE", complete=_formats, rest=True)
YES = one_of("yes", "yes")


async def _fork(context: Context, until: Annotated[int | None, MESSAGE] = None) -> Result:
    if until is None:
        options = [Option("/fork all", "everything so far")]
        options += [
            Option(f"/fork {each.id}", _label(each), f"up to here, {age(each.created_at)} ago")
            for each in await _said(context)
        ]
        return Picker("Fork from which message?", tuple(options))
    opened = context.opened
    from agent.archive.planting import fork

    made = await opened.store.write(fork, opened.session.id, until=until or None)
    return Reopen(made.id, f"forked as session {made.id}; it waits for you, and the first stays as it is")


async def _export(context: Context, target: Annotated[str, TARGET] = "html") -> Result:
    opened = context.opened
    kind, path = _target(target, Path(opened.workshop.record.workspace))
    # Three formats and what takes secrets out of them, for the day when one is asked for.
    from agent.archive.files import WRITERS, file_name, free_path, write_new
    from agent.archive.gathering import gather
    from agent.archive.redaction import redacted, redactor

    archive = await opened.store.read(gather, opened.session.id)
    secrets = redactor(opened.loaded.config, opened.opening.environment, opened.opening.paths)
    cleaned = redacted(archive, secrets)
    if path.is_dir():
        path = free_path(path, file_name(cleaned, kind))
    write_new(path, WRITERS[kind](cleaned))
    return Text(f"{path} holds this session; it is readable by you alone")


async def _search(context: Context, words: Annotated[str, Kind("WORDS", rest=True)] = "") -> Result:
    opened = context.opened
    return Found(words, await opened.store.read(search, words, workspace=opened.workshop.record.workspace))


async def _delete(context: Context, wanted: Annotated[str, NAMED], yes: Annotated[str, YES] = "") -> Result:
    opened = context.opened
    here = opened.workshop.record.workspace
    found = find(await opened.store.read(sessions.listed, here), wanted, here)
    if found.id == opened.session.id:
        raise CommandError("this is the session you are in", "/quit, then wakeful sessions delete")
    owner = lock.owner(opened.opening.paths.locks, found.id)
    if owner is not None:
        raise CommandError(f"session {found.id} is open in process {owner}", "close it there first")
    name = found.title or found.id
    if not yes:
        line = f"/sessions delete {found.id} yes"
        return Confirm(f"Delete {name}?", "Its messages, todos and artifacts go with it.", line)
    await opened.store.write(sessions.delete, found.id)
    await sweep(opened.store, opened.opening.paths, at_once=True)
    return Text(f"{name} is gone, with its messages and todos")


async def _said(context: Context) -> list[Message]:
    """What the user said, the latest first."""
    opened = context.opened
    newest = await opened.store.read(messages.page, opened.session.id, limit=_SHOWN)
    return [each for each in reversed(newest.messages) if each.origin == "human"]


def _label(message: Message) -> str:
    line = " ".join(message.text.split())
    return line if len(line) <= _LABEL else f"{line[: _LABEL - 1]}…"


def _target(words: str, root: Path) -> tuple[str, Path]:
    """The format, and a file or the folder to put one into."""
    from agent.archive.files import WRITERS, format_of

    first, rest = take_word(words)
    if first in WRITERS:
        return first, root / Path(take_word(rest)[0]).expanduser() if rest.strip() else root
    path = root / Path(first if words.strip().startswith('"') else words.strip()).expanduser()
    kind = format_of(path)
    if kind is None:
        raise CommandError(
            f"{words.strip()!r} is no format and no file of one", "write /export html, md or json"
        )
    return kind, path


COMMANDS = (
    command("fork", "Go on in a copy of this session, from any message of it", _fork),
    command("export", "Write this session to a file: a page, Markdown, or JSON", _export),
    command("search", "Find words in what was said and planned in this folder", _search),
    command("sessions delete", "Delete a session with its messages and todos", _delete),
)
