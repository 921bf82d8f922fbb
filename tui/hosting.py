"""One session on the screen, from its opening to the user's leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.entry import Opening
from agent.following import open_follower
from agent.opening import Opened
from tui.followed import Followed
from tui.stage import Stage, Surface
from tui.talk import Ending, first_status
from tui.transcript.feed import Feed


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
    opening: Opening, session_id: str, feed: Feed, surface: Surface, seated: Callable[[Followed], None]
) -> Ending:
    """A session that another process runs, until that ends or the user leaves."""
    left: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
    async with open_follower(opening, session_id) as follower:
        with follower.subscribe(merged=True) as heard:
            async with asyncio.TaskGroup() as tasks:
                window = Followed(follower, opening, feed, surface, tasks, left)
                window.begin()
                running = tasks.create_task(follower.run())
                showing = tasks.create_task(window.retell(heard))
                seated(window)
                await asyncio.wait([running, left], return_when=asyncio.FIRST_COMPLETED)
                running.cancel()
                showing.cancel()
        return left.result() if left.done() else follower.takeover(opening)
