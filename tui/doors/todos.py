"""`wakeful todos`: the list of this project from another terminal, once or as it moves."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING

from tui.escapes import safe, speaks_unicode
from tui.listing import opened
from tui.parser import Options

if TYPE_CHECKING:
    from agent.todos.filters import Filter
    from agent.todos.service import TodoService
    from store.database import Store

HELP = """List the todos of this folder: the workspace-wide ones and those of its newest session.

FILTER is any of pending, in_progress, blocked, completed, cancelled, open, all, high, medium, low, @ARTIFACT,
sprint:NAME and words to look for. Without a FILTER all todos are shown, the open ones first; with one that
names no status, only the open ones."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("filter", nargs="*", metavar="FILTER", help="what to show")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--watch", action="store_true", help="print the list again whenever it changes")
    parser.add_argument("--session", metavar="ID", help="this session instead of the newest")


def run(options: Options) -> int:
    return asyncio.run(_run(options))


async def _run(options: Options) -> int:
    from agent.todos.filters import Filter, parse_filter
    from agent.todos.rules import OPEN
    from store import changes

    wanted = parse_filter(" ".join(options.filter), default=Filter(OPEN) if options.filter else None)
    async with opened(options.session, newest=True) as (store, service):
        # Asked before the list is read, so that nothing falls between the two.
        seen = await store.read(changes.newest)
        await _show(service, wanted, as_json=options.json, line_by_line=options.watch)
        if options.watch:
            await _follow(store, service, wanted, seen, as_json=options.json)
    return 0


async def _follow(store: Store, service: TodoService, wanted: Filter, seen: int, *, as_json: bool) -> None:
    from store.watch import watch

    revision = service.snapshot.revision
    async for _ in watch(store, seen):
        if (await service.current()).revision != revision:
            revision = service.snapshot.revision
            if not as_json:
                print()
            await _show(service, wanted, as_json=as_json, line_by_line=True)


async def _show(service: TodoService, wanted: Filter, *, as_json: bool, line_by_line: bool) -> None:
    from agent.commands.text import bar
    from agent.todos.lines import ratio, tree
    from agent.todos.selection import select
    from agent.todos.wire import list_json

    found = await select(service, wanted)
    known = found.known
    if as_json:
        indent = None if line_by_line else 2
        print(json.dumps(list_json(known, found.todos), ensure_ascii=False, indent=indent), flush=True)
        return
    unicode = speaks_unicode(sys.stdout)
    rows = tree(found.todos, found.artifacts, limit=None) or "no todos to show"
    print(f"{bar(known.progress, unicode=unicode)} {ratio(known.progress)}")
    print(safe(rows, unicode=unicode), flush=True)
