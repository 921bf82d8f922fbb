"""Who is told of which change of the list, and when: once each, and never of what it did itself."""

import asyncio
from pathlib import Path

import pytest

from agent.events import Notice, SessionStateChanged, WakeCountdown, WakeStarted
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from store import sessions
from store.database import open_store
from tests.agent.openings import stage

BUILD = Actor("agent:build")


def told(request: Request, words: str) -> int:
    return sum(
        words in str(message.get("content")) for message in request.messages if message["role"] == "user"
    )


async def test_an_agent_hears_what_its_namesake_in_another_session_changed(tmp_path: Path):
    added = asyncio.Event()
    adding: list[asyncio.Future[None]] = []

    async def add() -> None:
        await other.add(BUILD, [Draft("theirs", workspace_wide=True)])
        added.set()

    def answer(request: Request) -> Answer:
        number = len(model.requests)
        if number == 1:
            return said("", ("todo_add", {"title": "mine", "scope": "workspace"}))
        if number == 2:
            adding.append(asyncio.ensure_future(add()))
        return (added, *said("", ("glob", {"pattern": f"*{number}"}))) if number < 5 else said("done")

    model = Scripted(answer)
    async with stage(tmp_path, model) as scene, open_store(scene.opened.store.path) as elsewhere:
        project = str((tmp_path / "project").resolve())
        second = await elsewhere.write(sessions.create, project, agent="build", model="offline")
        other = TodoService(elsewhere, project, second.id, lambda _: None)
        await scene.ask("work")

    assert [told(request, "theirs") for request in model.requests] == [0, 0, 1, 1, 1]
    assert told(model.requests[1], "mine") == 0


async def test_an_agent_is_not_told_of_the_todos_its_own_plan_became(tmp_path: Path):
    plan = {"title": "plan", "type": "plan", "content": "1. one\n2. two"}
    script = [
        said("", ("artifact_create", plan)),
        said("", ("artifact_stage", {"id": 1, "stage": "final"})),
        said("planned"),
    ]
    model = Scripted(script)
    async with stage(tmp_path, model, agent="plan", max_wakes=0) as scene:
        await scene.ask("plan")
        titles = [todo.title for todo in scene.opened.session.agenda.todos]

    assert titles == ["one", "two"]
    assert told(model.requests[-1], "one") == 0


async def test_an_agent_is_told_once_that_the_user_closed_the_last_of_its_items(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "ship it"})), *[said("ok")] * 3])
    async with stage(tmp_path, model, max_wakes=0) as scene:
        await scene.ask("plan")
        await scene.opened.session.agenda.service.update(USER, [Edit(1, status="cancelled")])
        await scene.ask("what is next?")
        await scene.ask("and then?")

    assert [told(request, "#1 [cancelled] ship it") for request in model.requests] == [0, 0, 1, 1]


async def test_a_new_session_hears_nothing_of_what_others_finished_long_ago(tmp_path: Path):
    model = Scripted(lambda _: said("hello"))
    async with stage(tmp_path, model) as scene:
        service = scene.opened.session.agenda.service
        await service.add(USER, [Draft("old", status="completed", workspace_wide=True)])
        await scene.ask("hi")

    assert len(model.requests[0].messages) == 2


async def test_all_done_is_said_though_the_workspace_has_other_work(tmp_path: Path):
    model = Scripted(
        [said("", ("todo_add", {"title": "a"})), said("", ("todo_complete", {"id": 2})), said("ok")]
    )
    async with stage(tmp_path, model) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("for anybody", workspace_wide=True)])
        outcome = await scene.ask("work")
        await scene.opened.session.run(until_idle=True)

    assert outcome.state == "dormant"
    assert [event.text for event in scene.events if isinstance(event, Notice)] == ["all done · 1/1"]


@pytest.mark.parametrize("emptied", [True, False])
async def test_what_others_do_does_not_put_a_wake_off_unless_nothing_is_left(tmp_path: Path, emptied: bool):
    model = Scripted([said("", ("todo_add", {"title": "a"})), said("later"), said("still later")])
    settings = ("wake.countdown=0.6",)
    async with stage(tmp_path, model, attended=True, assignments=settings, max_wakes=1) as scene:
        session = scene.opened.session
        async with open_store(scene.opened.store.path) as elsewhere:
            other = TodoService(elsewhere, session.agenda.service.workspace, session.id, lambda _: None)
            with session.subscribe() as events:
                await session.send("go")
                running = asyncio.ensure_future(session.run(until_idle=True))
                async for event in events:
                    if isinstance(event, WakeCountdown):
                        break
                await other.update(USER, [Edit(1, notes="a note")])
                if emptied:
                    await other.complete(USER, [1])
                outcome = await running
                events.push(None)
                rest = [event async for event in events]

    assert outcome.state == ("dormant" if emptied else "idle")
    assert sum(isinstance(event, WakeCountdown) for event in rest) == 0
    assert sum(isinstance(event, WakeStarted) for event in rest) == (0 if emptied else 1)


async def test_what_was_steered_too_late_is_a_message_of_its_own(tmp_path: Path):
    steering: list[asyncio.Future[None]] = []

    def answer(request: Request) -> Answer:
        if len(model.requests) == 1:
            steering.append(asyncio.ensure_future(scene.opened.session.steer("one thing more")))
        return said("done")

    model = Scripted(answer)
    async with stage(tmp_path, model) as scene:
        await scene.ask("work")

    assert model.requests[-1].messages[-1].get("content") == "one thing more"


async def test_a_turn_that_failed_keeps_the_session_from_waking_after_a_restart(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "a"}))])
    async with stage(tmp_path, model) as scene:
        failed = await scene.ask("work")
    again = Scripted([])
    async with stage(tmp_path, again, proceed="newest") as scene:
        outcome = await scene.opened.session.run(until_idle=True)

    assert failed.ending == "failed"
    assert (outcome.state, again.requests) == ("idle", [])
    assert outcome.reason == failed.reason == "the script has no more answers · 1 open"


async def test_every_wake_that_is_put_off_ends_its_countdown_with_the_state(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "a"})), said("later")])
    async with stage(tmp_path, model, attended=True, assignments=("wake.countdown=600",)) as scene:
        session, states = scene.opened.session, list[str]()
        with session.subscribe() as events:
            await session.send("go")
            running = asyncio.ensure_future(session.run())
            async for event in events:
                match event:
                    case WakeCountdown():
                        await session.hold()
                    case SessionStateChanged(state="idle", reason=reason):
                        states.append(reason)
                        if len(states) == 2:
                            break
                        await session.wake()
                    case _:
                        pass
        running.cancel()
        await asyncio.wait([running])

    assert len(states) == 2
