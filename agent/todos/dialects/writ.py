"""The dialect of models without tool calls: command lines in the reply, answered in one message."""

from __future__ import annotations

from agent.todos.commands import execute
from agent.todos.context import TodoContext
from agent.todos.errors import TodoError
from agent.todos.grammar import Writ, parse_reply
from agent.todos.lines import standing


async def answer(context: TodoContext, reply: str) -> str | None:
    """Carry out the commands in a reply, one after the other; None when there are none."""
    writs = parse_reply(reply)
    if not writs:
        return None
    results = [await _framed(context, writ) for writ in writs]
    known = await context.service.current()
    return "\n".join([*results, standing(known)])


async def _framed(context: TodoContext, writ: Writ) -> str:
    if writ.command is None:
        result = f"ERR: {writ.error}"
    else:
        try:
            result = (await execute(context.service, context.actor, writ.command)).text
        except TodoError as error:
            result = f"ERR: {error}"
    return f"[{writ.line}]\n{result}\n[END TODO]"
