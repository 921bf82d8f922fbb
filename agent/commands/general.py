"""The commands about Wakeful itself."""

from __future__ import annotations

from typing import Annotated

from agent.commands.kinds import COMMAND
from agent.commands.registry import Command, Context, command
from agent.commands.results import Quit, Result, Table


async def _help(context: Context, name: Annotated[str, COMMAND] = "") -> Result:
    if not name:
        chosen = [each for each in context.registry if " " not in each.name]
        return _table(chosen, "/help COMMAND says more")
    found, _ = context.registry.find(f"/{name}")
    inner = [each for each in context.registry if each.name.startswith(f"{found.name} ")]
    return _table([found, *inner])


async def _quit(context: Context) -> Result:
    del context
    return Quit()


def _table(commands: list[Command], note: str = "") -> Table:
    return Table((), tuple((each.usage, each.help) for each in commands), note)


COMMANDS = (
    command("help", "List the commands, or show the forms of one", _help),
    command("quit", "Leave; the session can be resumed", _quit),
)
