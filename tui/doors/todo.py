"""`wakeful todo`: change the list from the command line, in the words of the `/todo` command."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING

from tui.errors import UsageError
from tui.escapes import safe, speaks_unicode
from tui.listing import opened
from tui.parser import Options

if TYPE_CHECKING:
    from agent.todos.grammar import Command

HELP = """Change what `wakeful todos` lists: the workspace-wide todos and those of the newest session.

New ones are workspace-wide, and so are those meant by `all` and `completed`, unless --session names one.

  add [-w] TITLE              start|done|cancel|reopen ID…     block ID: REASON
  describe ID: TEXT           subject ID: TITLE                priority ID high|medium|low
  delete ID…|completed|all    undo                             list [FILTER]
  show ID                     move ID up|down|top|bottom|out|before ID|after ID|under ID

ID is a number or the beginning of a title. Prints #ID once the change is stored.
Without a command it lists what is open."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", metavar="ID", help="work on the list of this session")
    parser.add_argument("--json", action="store_true", help="print the todos as one JSON object")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND", help="what to do, see above")


def run(options: Options) -> int:
    words, session, as_json = _options(options)
    return asyncio.run(_run(" ".join(words), session, as_json=as_json))


async def _run(text: str, session: str | None, *, as_json: bool) -> int:
    from agent.todos.actors import USER
    from agent.todos.commands import execute
    from agent.todos.errors import TodoError
    from agent.todos.grammar import Add, parse_command
    from agent.todos.wire import list_json

    try:
        command = parse_command(text)
    except TodoError as error:
        message, _, hint = str(error).partition("; ")
        raise UsageError(message, hint or "see wakeful todo --help") from error
    async with opened(session, newest=not _is_shared(command)) as (_, service):
        answer = await execute(service, USER, command)
    if as_json:
        print(json.dumps(list_json(answer.snapshot, answer.todos), ensure_ascii=False, indent=2))
    elif isinstance(command, Add):
        print("\n".join(f"#{todo.id}" for todo in answer.todos))
    else:
        print(safe(answer.text, unicode=speaks_unicode(sys.stdout)))
    return 0


def _is_shared(command: Command) -> bool:
    """Nobody says "all" and means a session they do not see."""
    from agent.todos.grammar import Add, Delete, SetStatus

    if isinstance(command, SetStatus | Delete):
        return command.targets in (("all",), ("completed",))
    return isinstance(command, Add)


def _options(options: Options) -> tuple[list[str], str | None, bool]:
    """argparse leaves alone what stands behind the verb, where people put options too."""
    words: list[str] = []
    session, as_json = options.session, options.json
    rest = iter(options.words)
    for word in rest:
        if word == "--":
            words += rest
        elif word == "--json":
            as_json = True
        elif word == "--session" or word.startswith("--session="):
            session = word.partition("=")[2] or next(rest, None)
            if not session:
                raise UsageError("--session needs the id of a session", "wakeful sessions lists them")
        else:
            words.append(word)
    return words, session, as_json
