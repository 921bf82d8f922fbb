"""`wakeful sessions`: what was talked about in this folder, and a way to read or remove it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui import archives
from tui.answers import print_json, print_text
from tui.configuration import user_paths
from tui.errors import DoorError, UsageError
from tui.parser import Options
from tui.storage import opened_store

if TYPE_CHECKING:
    from store.database import Store
    from store.records import Message, Session

Action = Callable[["Store", Options], Awaitable[int]]

HELP = """List the sessions of this folder, and read, search, export, import, fork, rename or delete them.

ID is the beginning of a session's id or title."""

_LONGEST = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action=_list, all=False)
    parser.add_argument("--json", action="store_true", help="print JSON")
    actions = parser.add_subparsers(title="commands", metavar="")

    def add(name: str, action: Action, words: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=words)
        added.set_defaults(action=action)
        # Without a default of its own, so that `sessions --json list` works as well.
        added.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
        return added

    listing = add("list", _list, "the latest first; also without a command")
    listing.add_argument("--all", action="store_true", help="of every folder")
    show = add("show", _named(_show), "print what was said, and the todos")
    search = add("search", archives.search_sessions, "find words in what was said and planned here")
    search.add_argument("words", nargs="+", metavar="WORD", help="all must occur; the last may be unfinished")
    search.add_argument("--all", action="store_true", help="in every folder")
    search.add_argument("--limit", type=int, default=50, metavar="N", help="at most so many (default: 50)")
    export = add("export", _named(archives.export_session), "print or write one as a page, Markdown or JSON")
    export.add_argument("--format", choices=("md", "json", "html"), help="default: by FILE, else md")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file instead of printing")
    take_in = add("import", archives.take_in_session, "take in a JSON export as a new session of this folder")
    take_in.add_argument("file", metavar="FILE", help="- for standard input")
    fork = add("fork", _named(archives.fork_session), "make a copy that goes on from any message")
    fork.add_argument("--at", type=int, metavar="MESSAGE", help="up to this one; `show` has the numbers")
    rename = add("rename", _named(_rename), "give one another title")
    delete = add("delete", _named(_delete), "remove one with its messages and todos")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    for each in (show, export, fork, rename, delete):
        each.add_argument("session", metavar="ID", help="which one")
    rename.add_argument("title", nargs="+", metavar="TITLE", help="what it is called from now on")


def run(options: Options) -> int:
    return asyncio.run(_run(options))


async def _run(options: Options) -> int:
    async with opened_store() as store:
        return await options.action(store, options)


def _named(action: Callable[[Store, Options, Session], Awaitable[int]]) -> Action:
    """An action on the one session that is named."""

    async def run_named(store: Store, options: Options) -> int:
        return await action(store, options, await _found(store, options.session))

    return run_named


async def _list(store: Store, options: Options) -> int:
    from agent.commands.results import Table
    from agent.commands.text import table_text
    from agent.overview import overviews

    rows = await overviews(store, user_paths().locks, None if options.all else _here())
    if options.json:
        print_json({"sessions": [each.as_json() for each in rows]})
    elif not rows:
        print_text("no sessions here yet; wakeful run PROMPT begins one")
    else:
        folder = ("folder",) if options.all else ()
        cells = tuple(
            (
                each.session.id,
                each.age,
                each.state,
                each.plan,
                each.cost,
                *((each.session.workspace,) if options.all else ()),
                each.title,
            )
            for each in rows
        )
        print_text(table_text(Table(("id", "age", "state", "plan", "cost", *folder, "title"), cells)))
    return 0


async def _show(store: Store, options: Options, session: Session) -> int:
    from agent.overview import overview
    from agent.todos.lines import tree
    from agent.todos.wire import as_json
    from store import messages, todos

    said = await store.read(messages.load, session.id)
    visible = await store.read(todos.visible, session.workspace, session.id)
    own = tuple(todo for todo in visible if todo.session_id == session.id)
    if options.json:
        print_json(
            {
                "session": (await overview(store, user_paths().locks, session.id)).as_json(),
                "messages": [_message_json(each) for each in said],
                "todos": [as_json(todo) for todo in own],
            }
        )
        return 0
    place = f"{session.id} in {session.workspace}"
    head = f"{session.title or session.id}\n{place}\n{session.agent}, {session.model}"
    spoken = [f"[{each.id}] {_speaker(each)}: {each.text.strip()}" for each in said if each.text.strip()]
    plan = [tree(own)] if own else []
    print_text("\n\n".join([head, *spoken, *plan]))
    return 0


def _speaker(message: Message) -> str:
    """What Wakeful told the agent, such as the plan at a wake, was not said by the user."""
    own = message.role == "user" and message.origin != "human"
    return f"wakeful ({message.origin})" if own else message.role


async def _rename(store: Store, options: Options, session: Session) -> int:
    from store import sessions

    title = " ".join(" ".join(options.title).split())
    if not title or len(title) > _LONGEST or not title.isprintable():
        raise UsageError(
            f"the title is no plain line of at most {_LONGEST} characters", "leave control characters out"
        )
    await store.write(sessions.rename, session.id, title)
    if options.json:
        print_json({"session": session.id, "title": title})
    else:
        print_text(f"session {session.id} is called {title!r}")
    return 0


async def _delete(store: Store, options: Options, session: Session) -> int:
    from agent.rewind.cleanup import sweep
    from store import lock, sessions

    owner = lock.owner(user_paths().locks, session.id)
    if owner is not None:
        raise DoorError(
            f"session {session.id} is open in process {owner}", "close it there first", code="busy"
        )
    if not options.yes and not _confirmed(session):
        raise UsageError(
            f"session {session.id} is kept", f"wakeful sessions delete {session.id} --yes removes it"
        )
    await store.write(sessions.delete, session.id)
    await sweep(store, user_paths(), at_once=True)
    if options.json:
        print_json({"deleted": session.id})
    else:
        print_text(f"session {session.id} is gone, with its messages and todos")
    return 0


def _confirmed(session: Session) -> bool:
    from tui.escapes import safe

    if not sys.stdin.isatty():
        return False
    answer = input(f"Delete {safe(session.title) or session.id} with its messages and todos? [y/N] ")
    return answer.strip().lower() in ("y", "yes")


async def _found(store: Store, wanted: str) -> Session:
    from agent.commands.errors import CommandError
    from agent.commands.sessions import find
    from store import sessions

    try:
        return find(await store.read(sessions.listed, None), wanted, _here())
    except CommandError as error:
        hint = error.hint.replace("/sessions lists", "wakeful sessions lists")
        raise DoorError(error.message, hint, code="not_found") from error


def _here() -> str:
    return str(Path.cwd().resolve())


def _message_json(message: Message) -> dict[str, Any]:
    from store.clock import format_time

    return {
        "id": message.id,
        "role": message.role,
        "origin": message.origin,
        "text": message.text,
        "tools": [part.tool for part in message.parts if part.kind == "tool"],
        "created_at": format_time(message.created_at),
    }
