"""One session on the screen, from its opening to the user's leaving."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from agent.bus import Subscription
from agent.entry import Opening
from agent.events import SessionRewound, TodoUpdated
from agent.following import Follower, open_follower
from agent.opening import Opened
from tui.stage import Stage, Surface
from tui.status import Status, updated
from tui.talk import Ending, first_status
from tui.transcript.feed import Feed
from tui.widgets.footer import Place


async def host(opened: Opened, feed: Feed, surface: Surface, seated: Callable[[Stage], None]) -> Ending:
    """`seated` is told when the user may act; returns how they left."""
    left: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()

    def leave(ending: Ending) -> None:
        if not left.done():
            left.set_result(ending)

    with opened.session.subscribe(merged=True) as heard:
        async with asyncio.TaskGroup() as tasks:
            stage = Stage(opened, feed, surface, tasks, await first_status(opened), leave)
            await stage.raise_curtain()
            for notice in opened.notices:
                stage.say(notice, "waiting")
            background = [tasks.create_task(stage.follow(heard)), tasks.create_task(_working(opened))]
            seated(stage)
            try:
                return await left
            finally:
                for task in background:
                    task.cancel()
                stage.cancel()


async def _working(opened: Opened) -> None:
    await opened.session.run()


async def watch(
    opening: Opening, session_id: str, feed: Feed, surface: Surface, left: asyncio.Future[int]
) -> Ending:
    """A session that another process runs, until that ends or the user leaves, as `left` tells."""
    async with open_follower(opening, session_id) as follower:
        _show_followed(follower, feed, surface)
        with follower.subscribe(merged=True) as heard:
            async with asyncio.TaskGroup() as tasks:
                running = tasks.create_task(follower.run())
                showing = tasks.create_task(_retell(heard, follower, feed, surface))
                await asyncio.wait([running, left], return_when=asyncio.FIRST_COMPLETED)
                running.cancel()
                showing.cancel()
        return left.result() if left.done() else follower.takeover(opening)


def _show_followed(follower: Follower, feed: Feed, surface: Surface) -> None:
    who = f"PID {follower.owner}" if follower.owner else "another process"
    surface.show_title(f"{follower.record.title} (read-only, {who})".strip())
    surface.show_plan(follower.todos.todos, follower.todos.progress)
    feed.load_older(follower.messages)
    feed.note(
        f"following, read-only: {who} runs this session; this window takes over when that ends", warning=True
    )


async def _retell(heard: Subscription, follower: Follower, feed: Feed, surface: Surface) -> None:
    record = follower.record
    status = Status(record.state, record.reason, "", record.wakes, 0, record.model, record.agent, record.cost)
    place = Place(record.workspace)
    surface.show_status(status, place)
    async for event in heard:
        if isinstance(event, SessionRewound):
            feed.restart()
            feed.load_older(follower.messages)
        feed.show(event)
        if isinstance(event, TodoUpdated):
            surface.show_plan(event.todos, event.progress)
        status = updated(status, event, time.monotonic())
        surface.show_status(status, place)
