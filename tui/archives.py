"""`wakeful sessions search|export|import|fork`: sessions found again, given away, taken in and split."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.answers import print_json, print_text
from tui.configuration import user_paths
from tui.errors import DoorError
from tui.escapes import safe
from tui.parser import Options

if TYPE_CHECKING:
    from store.database import Store
    from store.records import Session
    from store.search import Hit


async def search_sessions(store: Store, options: Options) -> int:
    from agent.commands.results import Found
    from agent.commands.text import found_text
    from store.search import search
    from tui.escapes import speaks_unicode

    words = " ".join(options.words)
    here = None if options.all else str(Path.cwd().resolve())
    hits = await store.read(search, words, workspace=here, limit=max(1, options.limit))
    if options.json:
        print_json({"hits": [_hit_json(hit) for hit in hits]})
    elif hits and sys.stdout.isatty() and speaks_unicode(sys.stdout) and not os.environ.get("NO_COLOR"):
        sys.stdout.write("".join(f"{_in_bold(hit)}\n" for hit in hits))
    else:
        print_text(found_text(Found(words, hits)))
    return 0 if hits else 1


async def export_session(store: Store, options: Options, session: Session) -> int:
    from agent.archive.files import WRITERS, format_of, write_new
    from agent.archive.gathering import gather
    from agent.archive.redaction import redacted, redactor
    from agent.config.load import load

    output: Path | None = options.output
    kind = options.format or (format_of(output) if output else None) or ("json" if options.json else "md")
    paths = user_paths()
    config = load(paths, os.environ, project=None, trusted=False).config
    archive = await store.read(gather, session.id)
    text = WRITERS[kind](redacted(archive, redactor(config, os.environ, paths)))
    if output is None:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        return 0
    write_new(output, text)
    if options.json:
        print_json({"session": session.id, "file": str(output)})
    else:
        print_text(f"{output} holds session {session.id}; it is readable by you alone")
    return 0


async def take_in_session(store: Store, options: Options) -> int:
    from agent.archive.planting import adopt
    from agent.archive.wire import from_json

    try:
        text = await asyncio.to_thread(_read, options.file)
    except OSError as error:
        raise DoorError(f"{options.file} cannot be read ({error.strerror})", "name a JSON export") from error
    from agent.config.load import load

    archive = from_json(text, options.file)
    budget = load(user_paths(), os.environ).config.budget
    made = await adopt(store, archive, str(Path.cwd().resolve()), max_cost=budget.max_cost)
    _tell_new(made, options, "is there now, held until you act")
    claimed = (archive.session.model, archive.session.agent)
    if claimed != (made.model, made.agent):
        # What a file names is used when the user asks for it.
        note = f"it was made with {safe(claimed[0])} and the agent {safe(claimed[1])}; yours are used instead"
        sys.stderr.write(f"wakeful: note: {note}, -m and --agent change that\n")
    return 0


async def fork_session(store: Store, options: Options, session: Session) -> int:
    from agent.archive.planting import fork

    made = await store.write(fork, session.id, until=options.at)
    _tell_new(made, options, f"is a fork of {session.id}, held until you act")
    return 0


def _read(name: str) -> bytes:
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def _tell_new(session: Session, options: Options, what: str) -> None:
    if options.json:
        print_json({"session": session.id, "title": session.title, "workspace": session.workspace})
    else:
        print_text(f"session {session.id} {what}; wakeful repl -r {session.id} goes on with it")


def _in_bold(hit: Hit) -> str:
    """The words that were looked for stand out; nothing else of the text reaches the terminal but letters."""
    from agent.commands.text import hit_head
    from store.search import pieces

    snippet = (f"\x1b[1m{safe(text)}\x1b[0m" if match else safe(text) for text, match in pieces(hit.snippet))
    return f"{safe(hit_head(hit))}\n    {''.join(snippet)}"


def _hit_json(hit: Hit) -> dict[str, Any]:
    """`matches` are where in the snippet the words stand, as [start, end]."""
    from store.clock import format_time
    from store.search import pieces

    snippet, matches = "", list[list[int]]()
    for text, match in pieces(hit.snippet):
        if match:
            matches.append([len(snippet), len(snippet) + len(text)])
        snippet += text
    return {
        "kind": hit.kind,
        "id": hit.id,
        "session": hit.session_id,
        "title": hit.title,
        "detail": hit.detail,
        "created_at": format_time(hit.created_at),
        "snippet": snippet,
        "matches": matches,
    }
