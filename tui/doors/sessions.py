"""`wakeful sessions`: what was talked about in this folder, and a way to read or remove it."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.configuration import user_paths
from tui.errors import DoorError, UsageError
from tui.parser import Options
from tui.storage import opened_store

if TYPE_CHECKING:
    from store.database import Store
    from store.records import Message, Session

HELP = """List the sessions of this folder, read one, or delete it.

ID is the beginning of a session's id or title."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action=_list, all=False)
    parser.add_argument("--json", action="store_true", help="print JSON")
    actions = parser.add_subparsers(title="commands", metavar="")
    listing = actions.add_parser("list", help="the latest first; also without a command")
    listing.add_argument("--all", action="store_true", help="of every folder")
    listing.set_defaults(action=_list)
    show = actions.add_parser("show", help="print what was said, and the todos")
    show.add_argument("session", metavar="ID", help="which one")
    show.set_defaults(action=_show)
    delete = actions.add_parser("delete", help="remove one with its messages and todos")
    delete.add_argument("session", metavar="ID", help="which one")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    delete.set_defaults(action=_delete)
    for each in (listing, show, delete):
        # Without a default of its own, so that `sessions --json list` works as well.
        each.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")


def run(options: Options) -> int:
    return asyncio.run(_run(options))


async def _run(options: Options) -> int:
    async with opened_store() as store:
        return await options.action(store, options)


async def _list(store: Store, options: Options) -> int:
    from agent.commands.results import Table
    from agent.commands.text import table_text
    from store import sessions
    from store.clock import format_time

    found = await store.read(sessions.listed, None if options.all else _here())
    if options.json:
        _print_json({"sessions": [_as_json(each) for each in found]})
    elif not found:
        print("no sessions here yet; wakeful run PROMPT begins one")
    else:
        folder = ("folder",) if options.all else ()
        rows = tuple(
            (
                each.id,
                format_time(each.updated_at)[:16].replace("T", " "),
                each.state,
                *((each.workspace,) if options.all else ()),
                each.title or "(nothing said yet)",
            )
            for each in found
        )
        _print(table_text(Table(("id", "last change (UTC)", "state", *folder, "title"), rows)))
    return 0


async def _show(store: Store, options: Options) -> int:
    from agent.todos.lines import tree
    from agent.todos.wire import as_json
    from store import messages, todos

    session = await _found(store, options.session)
    said = await store.read(messages.load, session.id)
    visible = await store.read(todos.visible, session.workspace, session.id)
    own = tuple(todo for todo in visible if todo.session_id == session.id)
    if options.json:
        _print_json(
            {
                "session": _as_json(session),
                "messages": [_message_json(each) for each in said],
                "todos": [as_json(todo) for todo in own],
            }
        )
        return 0
    place = f"{session.id} in {session.workspace}"
    head = f"{session.title or session.id}\n{place}\n{session.agent}, {session.model}"
    spoken = [f"{each.role}: {each.text.strip()}" for each in said if each.text.strip()]
    plan = [tree(own)] if own else []
    _print("\n\n".join([head, *spoken, *plan]))
    return 0


async def _delete(store: Store, options: Options) -> int:
    from agent.rewind.cleanup import sweep
    from store import lock, sessions

    session = await _found(store, options.session)
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
        _print_json({"deleted": session.id})
    else:
        print(f"session {session.id} is gone, with its messages and todos")
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


def _as_json(session: Session) -> dict[str, Any]:
    from store.clock import format_time

    times = ("held_at", "activated_at", "created_at", "updated_at")
    row = asdict(session)
    return row | {name: None if row[name] is None else format_time(row[name]) for name in times}


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


def _print(text: str) -> None:
    from tui.escapes import safe
    from tui.plain import speaks_unicode

    print(safe(text, unicode=speaks_unicode(sys.stdout)))


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
