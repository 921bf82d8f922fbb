"""The dialect of models without tool calls: command lines in the reply, answered in one message."""

from __future__ import annotations

from agent.todos.commands import execute
from agent.todos.context import TodoContext
from agent.todos.errors import TodoError
from agent.todos.grammar import List, Show, Writ, parse_reply
from agent.todos.lines import DETAILED, LISTED


async def answer(context: TodoContext, reply: str) -> str | None:
    """Carry out the commands in a reply, one after the other; None when there are none."""
    writs = parse_reply(reply)
    if not writs:
        return None
    told: dict[int, frozenset[str]] = {}
    results = [await _framed(context, writ, told) for writ in writs]
    known = await context.service.current()
    return await context.report("\n".join(results), known, told=told)


async def _framed(context: TodoContext, writ: Writ, told: dict[int, frozenset[str]]) -> str:
    if writ.command is None:
        result = f"ERR: {writ.error}"
    else:
        try:
            done = await execute(context.service, context.actor, writ.command)
        except TodoError as error:
            result = f"ERR: {error}"
        else:
            result = done.text
            if isinstance(writ.command, List | Show):
                fields = DETAILED if isinstance(writ.command, Show) else LISTED
                told |= {todo.id: fields for todo in done.todos}
    return f"[{writ.line}]\n{result}\n[END TODO]"
