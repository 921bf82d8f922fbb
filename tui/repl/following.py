"""Another process's session at the prompt: its lines as they come, until it ends and this one takes over."""

from __future__ import annotations

import asyncio

from agent.bus import Subscription
from agent.commands.editing import on_list
from agent.commands.text import as_text
from agent.events import SessionRewound, SessionStateChanged, TodoUpdated
from agent.following import Follower
from agent.tools.tool import ToolError
from store.errors import StoreError
from tui.escapes import safe
from tui.repl.last_exchange import last_exchange
from tui.repl.lines import LineReader, Lines
from tui.repl.telling import Telling


async def follow(
    follower: Follower, telling: Telling, lines: Lines, reader: LineReader, left: asyncio.Future[int]
) -> bool:
    """Whether the session is free now; False when the user left, and `left` says how."""
    _greet(follower, telling, lines)
    with follower.subscribe(merged=True) as events:
        running = asyncio.create_task(follower.run(), name="follow a session")
        others = [
            asyncio.create_task(_show(events, follower, telling, lines), name="show what is followed"),
            asyncio.create_task(_read(reader, follower, telling, lines, left), name="read lines"),
        ]
        try:
            await asyncio.wait([running, left], return_when=asyncio.FIRST_COMPLETED)
            free = running.done()
            follower.bus.close()
            if free:
                await others[0]
        finally:
            for task in (running, *others):
                task.cancel()
            await asyncio.wait([running, *others])
    if not free:
        lines.write(telling.finish() + telling.note("left; the session goes on"))
        return False
    running.result()
    lines.write(telling.finish() + telling.note("the other process has ended; taking over", "accent"))
    return True


def _greet(follower: Follower, telling: Telling, lines: Lines) -> None:
    record = follower.record
    who = f"PID {follower.owner}" if follower.owner else "another process"
    lines.write(telling.note(f"following, read-only: {who} · takes over when it ends", "waiting"))
    lines.write(telling.note(f"{safe(record.title) or record.id} · {record.model} · ctrl+d leaves"))
    lines.write(telling.recalled(last_exchange(follower.messages)))
    if follower.todos.open:
        lines.write(telling.planned(follower.todos.open, follower.todos.progress))
    telling.plan.known(follower.todos.todos)


async def _show(events: Subscription, follower: Follower, telling: Telling, lines: Lines) -> None:
    async for event in events:
        lines.write(telling.told(event))
        match event:
            case SessionStateChanged(state=("awaiting_human" | "awaiting_approval")):
                lines.write(telling.note("it waits for an answer in the other window", "waiting"))
            case SessionStateChanged(state=("idle" | "dormant"), reason=reason):
                lines.write(telling.note(f"{event.state}: {reason}"))
            case TodoUpdated() if follower.record.state in ("idle", "dormant"):
                # During a turn, the plan waits for the end of what is being said.
                lines.write(telling.aside())
            case SessionRewound():
                lines.write(telling.note("the conversation went back there", "waiting"))
            case _:
                pass


async def _read(
    reader: LineReader, follower: Follower, telling: Telling, lines: Lines, left: asyncio.Future[int]
) -> None:
    while (line := await reader.next()) is not None:
        if line.strip() and not await _planned(follower, line, telling, lines):
            lines.write(telling.note("read-only: type in the other window, or wait until it ends", "waiting"))
    if not left.done():
        left.set_result(0)


async def _planned(follower: Follower, line: str, telling: Telling, lines: Lines) -> bool:
    """Carry out `/todo` and `/todos`, which any process may; False for other lines."""
    try:
        result = await on_list(follower.service, line)
    except (ToolError, StoreError) as error:
        lines.write(telling.note(safe(str(error)), "bad"))
        return True
    if result is not None:
        lines.write(telling.note(safe(as_text(result))))
    return result is not None
