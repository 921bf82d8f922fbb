"""One session on the screen, from its opening to the user's leaving."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent.opening import Opened
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
