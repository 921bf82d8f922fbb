"""A second window on a session that runs: in the same process here, which the lock does not care about."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from agent.events import (
    ContextCompacted,
    Event,
    Failed,
    MessageAdded,
    SessionRewound,
    SessionStateChanged,
    TextDelta,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    UsageUpdated,
    WakeStarted,
)
from agent.following import Follower, open_follower
from agent.models.protocol import AuthError, Finish, Text, TransientError
from agent.models.scripted import Scripted, said
from store import messages, sessions
from store.errors import MissingError, SessionBusyError
from store.records import Usage
from tests.agent.openings import Stage, opening, stage


class Window:
    """Collects what a follower tells."""

    def __init__(self, follower: Follower, running: asyncio.Task[None]) -> None:
        self.follower = follower
        self.running = running
        self.events: list[Event] = []

    async def until(self, seen: Callable[[Event], bool]) -> Event:
        async with asyncio.timeout(60):
            while not any(map(seen, self.events)):
                await asyncio.sleep(0.01)
        return next(filter(seen, self.events))

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


@asynccontextmanager
async def second(tmp_path: Path, scene: Stage) -> AsyncGenerator[Window, None]:
    with pytest.raises(SessionBusyError) as busy:
        async with stage(tmp_path, Scripted([]), resume=scene.opened.session.id):
            pass
    assert (busy.value.session_id, busy.value.pid) == (scene.opened.session.id, os.getpid())
    async with open_follower(opening(tmp_path), busy.value.session_id) as follower:
        with follower.subscribe() as events:
            window = Window(follower, asyncio.create_task(follower.run()))

            async def listen() -> None:
                async for event in events:
                    window.events.append(event)

            listening = asyncio.create_task(listen())
            try:
                yield window
            finally:
                window.running.cancel()
                listening.cancel()
                await asyncio.wait([window.running, listening])


def ended(event: Event) -> bool:
    return isinstance(event, SessionStateChanged) and event.state in ("idle", "dormant")


async def test_a_turn_is_followed_as_it_happened(tmp_path: Path):
    model = Scripted(
        [
            said("Looking.", ("glob", {"pattern": "*.txt"}), ("todo_add", {"title": "later"})),
            said("", ("todo_complete", {"id": 1})),
            said("Nothing here."),
        ]
    )
    async with stage(tmp_path, model) as scene, second(tmp_path, scene) as window:
        await scene.ask("look around")
        await window.until(ended)

    story = [kind for kind in window.kinds() if kind not in ("todo.updated", "usage.updated")]
    assert story[:2] == ["session.started", "message.added"]
    assert story.count("turn.started") == story.count("turn.ended") == 1
    assert story.count("tool.started") == story.count("tool.finished") == 3
    assert window.text == "Looking.Nothing here."
    (asked,) = [
        e.message.text for e in window.events if isinstance(e, MessageAdded) and e.message.origin == "human"
    ]
    assert asked == "look around"
    (start,) = [e for e in window.events if isinstance(e, ToolStarted) and e.name == "glob"]
    assert (start.title, start.arguments) == ("*.txt", {"pattern": "*.txt"})
    (finish,) = [e for e in window.events if isinstance(e, ToolFinished) and e.name == "glob"]
    original = [e for e in scene.events if isinstance(e, ToolFinished) and e.name == "glob"]
    assert [(e.status, e.output, e.title, e.metadata) for e in (finish,)] == [
        (e.status, e.output, e.title, e.metadata) for e in original
    ]
    (done,) = [e for e in window.events if isinstance(e, TurnEnded)]
    assert done.usage.total > 0
    lists = [e for e in window.events if isinstance(e, TodoUpdated)]
    assert [todo.status for todo in lists[-1].todos] == ["completed"]


async def test_what_is_under_way_comes_as_events_and_grows(tmp_path: Path):
    first, last = asyncio.Event(), asyncio.Event()
    answer = [Text("So "), first, Text("far "), last, Text("so good"), Finish("stop", Usage())]
    async with stage(tmp_path, Scripted([said("before"), answer])) as scene:
        await scene.ask("one")
        working = asyncio.ensure_future(scene.ask("two"))
        while await _newest(scene) != "So ":
            await asyncio.sleep(0.01)
        async with second(tmp_path, scene) as window:
            shown = [
                message.text for message in window.follower.messages if message.origin in ("human", "agent")
            ]
            assert shown == ["one", "before", "two"]
            await window.until(lambda event: isinstance(event, TextDelta))
            first.set()
            last.set()
            await window.until(ended)
            await working

    assert window.text == "So far so good"


async def _newest(scene: Stage) -> str:
    opened = scene.opened
    return (await opened.store.read(messages.load, opened.session.id, limit=1))[-1].text


async def test_a_reply_that_comes_again_is_void_before_it_does(tmp_path: Path):
    model = Scripted([[Text("half"), TransientError("cut")], said("whole")])
    async with stage(tmp_path, model) as scene, second(tmp_path, scene) as window:
        await scene.ask("go")
        await window.until(ended)

    assert "retry.waiting" in window.kinds()
    assert window.text.endswith("whole")
    assert window.kinds().index("retry.waiting") < max(
        number for number, event in enumerate(window.events) if isinstance(event, TextDelta)
    )


async def test_a_reply_that_broke_off_does_not_empty_the_context(tmp_path: Path):
    model = Scripted([said("one"), [Text("half"), asyncio.Event()]])
    async with stage(tmp_path, model) as scene, second(tmp_path, scene) as window:
        await scene.ask("count")
        asking = asyncio.create_task(scene.ask("go on"))
        await window.until(lambda event: isinstance(event, TextDelta) and event.text == "half")
        await scene.opened.session.interrupt()
        await asking
        await window.until(lambda event: isinstance(event, TurnEnded) and event.reason == "interrupted")

    assert [event.context for event in window.events if isinstance(event, UsageUpdated)] == [110]


async def test_every_wake_is_told_with_its_own_number(tmp_path: Path):
    planned = said("", ("todo_add", {"title": "a"}))
    looked = [said("", ("todo_update", {"id": 1, "notes": str(number)})) for number in range(3)]
    answers = [planned, said("on it")]
    for each in looked:
        answers += [each, said("more")]
    async with stage(tmp_path, Scripted(answers)) as scene, second(tmp_path, scene) as window:
        await scene.ask("go")
        await window.until(ended)

    own = [event.wake for event in scene.events if isinstance(event, WakeStarted)]
    assert own == [1, 2, 3]
    assert [event.wake for event in window.events if isinstance(event, WakeStarted)] == own


async def test_the_follower_tells_why_a_turn_failed(tmp_path: Path):
    model = Scripted([[Text("half"), AuthError("no key for x; set one")], said("")])
    async with stage(tmp_path, model) as scene, second(tmp_path, scene) as window:
        await scene.ask("one")
        state = await window.until(ended)
        await scene.ask("two")
        await window.until(lambda event: isinstance(event, Failed) and event.code == "empty")

    failed = [event for event in window.events if isinstance(event, Failed)]
    assert [(event.code, event.message, event.hint) for event in failed] == [
        ("auth", "no key for x", "set one"),
        ("empty", "scripted sent an empty reply", "try again, or choose another model"),
    ]
    assert isinstance(state, SessionStateChanged)
    assert state.cause == "failed"


async def test_it_ends_when_the_first_window_does_and_the_second_takes_over(tmp_path: Path):
    async with AsyncExitStack() as first:
        scene = await first.enter_async_context(stage(tmp_path, Scripted([said("one")])))
        async with second(tmp_path, scene) as window:
            await window.until(lambda event: event.kind == "session.started")
            assert window.follower.owner == os.getpid()
            await scene.ask("hello")
            await first.aclose()
            await window.running
            await window.until(ended)
            again = window.follower.takeover(opening(tmp_path, proceed="newest"))

    model = Scripted([said("two")])
    async with stage(tmp_path, model, resume=again.resume, proceed=again.proceed) as scene:
        await scene.ask("again")

    assert window.text == "one"
    assert window.follower.owner is None
    assert [message.get("content") for message in model.requests[0].messages[1:]] == ["hello", "one", "again"]


async def test_a_rewind_in_the_first_window_gives_the_second_the_other_conversation(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one"), said("two")])) as scene:
        await scene.ask("first")
        await scene.ask("second")
        async with second(tmp_path, scene) as window:
            await scene.opened.workshop.rewinds.rewind(2, "conversation")
            event = await window.until(lambda event: isinstance(event, SessionRewound))
            shown = [message.text for message in window.follower.messages]

    assert isinstance(event, SessionRewound)
    assert (event.what, event.hidden) == ("conversation", 2)
    assert shown == ["first", "one"]


async def test_a_session_that_is_deleted_ends_the_following_with_words(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene, second(tmp_path, scene) as window:
        await scene.opened.store.write(sessions.delete, scene.opened.session.id)

        with pytest.raises(MissingError, match="was deleted"):
            await window.running


async def test_a_summary_is_told_with_its_sizes(tmp_path: Path):
    async with (
        stage(tmp_path, Scripted([said("hello " * 200), said("short")])) as scene,
        second(tmp_path, scene) as window,
    ):
        await scene.ask("hello")
        done = await scene.opened.session.compact("")
        told = await window.until(lambda event: isinstance(event, ContextCompacted))

    assert isinstance(told, ContextCompacted)
    assert (told.message_id, told.before, told.automatic) == (done.message_id, done.before, False)
