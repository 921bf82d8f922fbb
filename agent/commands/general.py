"""The commands about Wakeful itself."""

from __future__ import annotations

import re
from typing import Annotated

from agent.commands.errors import CommandError
from agent.commands.kinds import COMMAND
from agent.commands.registry import Command, Completion, Context, Kind, command
from agent.commands.results import Copy, Quit, Result, Table
from agent.todos import markdown

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1[`~]*\s*$", re.DOTALL | re.MULTILINE)


async def _whats(context: Context, typed: str) -> list[Completion]:
    del context, typed
    return [
        Completion("code", "code", "the last block of code"),
        Completion("todos", "todos", "the plan as Markdown"),
        Completion("2", "2", "the reply before the last, and so on"),
    ]


def _what(word: str) -> str:
    if word not in ("code", "todos") and int(word) < 1:
        raise ValueError(word)
    return word


WHAT = Kind("code|todos|NUMBER", _what, _whats)


async def _help(context: Context, name: Annotated[str, COMMAND] = "") -> Result:
    if not name:
        chosen = [each for each in context.registry if " " not in each.name]
        return _table(chosen, "/help COMMAND says more")
    found, _ = context.registry.find(f"/{name}")
    inner = [each for each in context.registry if each.name.startswith(f"{found.name} ")]
    return _table([found, *inner])


async def _copy(context: Context, what: Annotated[str, WHAT] = "1") -> Result:
    if what == "todos":
        todos = (await context.opened.session.agenda.service.current()).todos
        if not todos:
            raise CommandError("there is no plan to copy", "/todo add TITLE makes a start")
        return Copy(markdown.export(todos), "the plan")
    journal = context.opened.session.journal
    await journal.read_all()
    replies = [each.text for each in journal.messages if each.role == "assistant" and each.text.strip()]
    if what == "code":
        blocks = [found[2] for reply in replies for found in _FENCE.finditer(reply)]
        if not blocks:
            raise CommandError("no reply has a block of code", "/copy takes the whole reply")
        return Copy(blocks[-1], "the last block of code")
    if int(what) > len(replies):
        there = f"there are {len(replies)} replies" if replies else "nothing was said yet"
        raise CommandError(f"there is no reply {what}", there)
    return Copy(replies[-int(what)], "the last reply" if what == "1" else f"reply {what} from the end")


async def _quit(context: Context) -> Result:
    del context
    return Quit()


def _table(commands: list[Command], note: str = "") -> Table:
    return Table((), tuple((each.usage, each.help) for each in commands), note)


COMMANDS = (
    command("copy", "Copy the last reply, its code, or the plan", _copy),
    command("help", "List the commands, or show the forms of one", _help),
    command("quit", "Leave; the session can be resumed", _quit),
)
