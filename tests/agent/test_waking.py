import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.events import Notice, TodoUpdated, WakeStarted
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from agent.todos.transaction import Changed
from store import schedules, sessions
from store.clock import now
from store.database import Store, open_store
from store.records import Schedule, Session
from tests.agent.openings import Stage, stage
from tests.provider.strict import complaint

PLAN = ("todo_add", {"items": [{"title": "first"}, {"title": "second"}, {"title": "third"}]})


def open_ids(request: Request) -> list[int]:
    """The ids the model reads in the newest message that lists the plan."""
    text = str(request.messages[-1].get("content"))
    return [int(line.split()[1][1:]) for line in text.splitlines() if line.startswith("- #")]


def wakes(scene: Stage) -> int:
    return sum(isinstance(event, WakeStarted) for event in scene.events)


async def test_a_model_that_stops_early_is_woken_until_the_list_is_done(tmp_path: Path):
    def lazy(request: Request) -> Answer:
        """One item a turn, then it stops."""
        if len(model.requests) == 1:
            return said("", PLAN)
        ids = open_ids(request)
        return said("", ("todo_complete", {"id": ids[0]})) if ids else said("Enough for now.")

    model = Scripted(lazy)
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("do three things")

    assert (outcome.state, outcome.ending) == ("dormant", "done")
    assert wakes(scene) == 3
    announced = [event.text for event in scene.events if isinstance(event, Notice)]
    assert announced == ["all done · 3/3"]
    assert not any(complaint({"messages": list(request.messages)}) for request in model.requests)


def talker(request: Request) -> Answer:
    return said("Still thinking.")


def toggler(request: Request) -> Answer:
    """Finishes the item and opens it again, in every turn."""
    if request.messages[-1]["role"] != "tool":
        return said("", ("todo_update", {"id": 1, "status": "completed"}))
    if '"completed' in json.dumps(request.messages[-2]).replace("\\", ""):
        return said("", ("todo_update", {"id": 1, "status": "pending"}))
    return said("It is open again.")


@pytest.mark.parametrize(("behaviour", "most"), [(talker, 3), (toggler, 4)], ids=["talks", "toggles"])
async def test_a_model_without_progress_stops_after_three_wakes(
    tmp_path: Path, behaviour: Callable[[Request], Answer], most: int
):
    def answer(request: Request) -> Answer:
        return said("", ("todo_add", {"title": "only"})) if len(model.requests) == 1 else behaviour(request)

    model = Scripted(answer)
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("go")

    assert outcome.state == "idle"
    assert "3 wakes without progress" in outcome.reason
    assert 3 <= wakes(scene) <= most


async def test_a_model_that_adds_todos_for_ever_stops_at_the_budget(tmp_path: Path):
    def adder(request: Request) -> Answer:
        number = len(model.requests)
        ids = open_ids(request)
        if ids:
            calls = [("todo_complete", {"id": ids[0]}), ("todo_add", {"title": f"more {number}"})]
            return said("", *calls)
        return said("", ("todo_add", {"title": f"more {number}"})) if number == 1 else said("next")

    model = Scripted(adder)
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("never end")

    assert wakes(scene) == 25
    assert "25/25 wakes used" in outcome.reason
    assert outcome.out_of_wakes


async def test_blocked_items_wait_and_say_why(tmp_path: Path):
    plan = (
        "todo_add",
        {"items": [{"title": "deploy", "status": "blocked", "blocked_reason": "needs the key"}]},
    )
    model = Scripted([said("", plan), said("waiting")])
    async with stage(tmp_path, model) as scene:
        outcome = await scene.ask("deploy it")

    assert (outcome.state, wakes(scene)) == ("idle", 0)
    assert "needs the key" in outcome.reason


async def test_a_todo_added_by_the_user_mid_run_is_told_exactly_once(tmp_path: Path):
    services: list[TodoService] = []
    adding: list[asyncio.Future[Changed]] = []

    def answer(request: Request) -> Answer:
        number = len(model.requests)
        if number == 1:
            return said("", PLAN)
        if number == 2:
            adding.append(asyncio.ensure_future(services[0].add(USER, [Draft("from the user")])))
        if number < 5:
            return said("", ("glob", {"pattern": f"*{number}"}))
        return said("", ("todo_complete", {"all": True})) if number == 5 else said("done")

    model = Scripted(answer)
    async with stage(tmp_path, model) as scene:
        services.append(scene.opened.session.agenda.service)
        await scene.ask("work")

    told = [
        sum(
            "from the user" in str(message.get("content"))
            for message in request.messages
            if message["role"] == "user"
        )
        for request in model.requests
    ]
    assert told[:2] == [0, 0]
    assert told[3:5] == [1, 1]


async def test_the_system_prompt_and_the_tools_never_change_while_the_list_does(tmp_path: Path):
    def busy(request: Request) -> Answer:
        number = len(model.requests)
        if number <= 25:
            return said("", ("todo_add", {"title": f"number {number}"}))
        if number <= 50:
            return said("", ("todo_complete", {"id": number - 25}))
        return said("done")

    model = Scripted(busy)
    async with stage(tmp_path, model) as scene:
        await scene.ask("fifty changes")

    changes = [event for event in scene.events if isinstance(event, TodoUpdated) and event.change]
    assert len(changes) == 50
    assert {json.dumps(request.messages[0]) for request in model.requests} == {
        json.dumps(model.requests[0].messages[0])
    }
    assert all(request.tools == model.requests[0].tools for request in model.requests)
    assert "number 1" not in str(model.requests[-1].messages[0].get("content"))


async def test_every_step_mode_ends_each_request_with_the_live_list_and_stores_none(tmp_path: Path):
    script = [
        said("", PLAN),
        said("", ("todo_complete", {"ids": [1, 2]})),
        said("", ("todo_complete", {"id": 3})),
        said("ok"),
    ]
    model = Scripted(script)
    async with stage(tmp_path, model, assignments=("todos.context=every-step",)) as scene:
        await scene.ask("work")
        stored = [message.origin for message in scene.opened.session.journal.messages]

    assert "third" in str(model.requests[1].messages[-1].get("content"))
    assert "first" not in str(model.requests[2].messages[-1].get("content"))
    assert "todos" not in stored
    assert not any(complaint({"messages": list(request.messages)}) for request in model.requests)


async def test_what_was_spent_is_charged_to_the_item_in_progress(tmp_path: Path):
    script = [
        said("", ("todo_add", {"title": "costly"})),
        said("", ("todo_update", {"id": 1, "status": "in_progress"})),
        said("", ("glob", {"pattern": "*"})),
        said("", ("todo_complete", {"id": 1})),
        said("done"),
    ]
    async with stage(tmp_path, Scripted(script), model_name="openai/gpt-4o") as scene:
        await scene.ask("work")
        (item,) = scene.opened.session.agenda.todos

    assert item.status == "completed"
    assert item.spent.tokens == 220
    assert item.spent.calls == 2
    assert item.spent.cost > 0


async def test_a_hold_survives_a_restart_and_a_message_ends_it(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("", PLAN), said("stop")]), max_wakes=0) as scene:
        await scene.ask("plan")
        await scene.opened.session.interrupt()
    model = Scripted([said("", ("todo_complete", {"all": True})), said("done")])
    async with stage(tmp_path, model, proceed="newest") as scene:
        held = await scene.opened.session.run(until_idle=True)
        outcome = await scene.ask("go on")

    assert "held" in held.reason
    assert outcome.state == "dormant"


async def test_the_wake_budget_survives_a_restart(tmp_path: Path):
    talk = [said("", PLAN), *[said("hm") for _ in range(9)]]
    async with stage(tmp_path, Scripted(talk), max_wakes=2) as scene:
        await scene.ask("plan")
    async with stage(tmp_path, Scripted([]), proceed="newest", max_wakes=2) as scene:
        outcome = await scene.opened.session.run(until_idle=True)
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    assert record.wakes == 2
    assert "2/2 wakes used" in outcome.reason


def repeater(request: Request) -> Answer:
    """Does the same thing with the same result, in every turn."""
    return said("Done again.") if request.messages[-1]["role"] == "tool" else said("", ECHO)


ECHO = ("shell", {"command": "echo same"})


@pytest.mark.parametrize("behaviour", [toggler, repeater])
async def test_what_counted_as_progress_before_a_restart_does_not_count_again(
    tmp_path: Path, behaviour: Callable[[Request], Answer]
):
    def planned(request: Request) -> Answer:
        return said("", ("todo_add", {"title": "only"})) if len(first.requests) == 1 else behaviour(request)

    first = Scripted(planned)
    async with stage(tmp_path, first, max_wakes=1, auto=True) as scene:
        await scene.ask("go")
        before = await scene.opened.store.read(sessions.get, scene.opened.session.id)
        await scene.kill()
    async with stage(tmp_path, Scripted(behaviour), proceed="newest", auto=True) as scene:
        outcome = await scene.opened.session.run(until_idle=True)
        after = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    assert (before.wakes, before.stagnant) == (1, 0)
    assert (after.wakes, after.stagnant) == (4, 3)
    assert "3 wakes without progress" in outcome.reason


async def test_what_another_process_added_is_told_to_the_agent(tmp_path: Path):
    model = Scripted(lambda _: said("seen"))
    async with stage(tmp_path, model, max_wakes=0) as scene:
        session = scene.opened.session
        async with open_store(scene.opened.store.path) as elsewhere:
            other = TodoService(elsewhere, str(tmp_path / "project"), session.id, lambda _: None)
            await other.add(USER, [Draft("from elsewhere")])
        await scene.ask("hello")

    assert "from elsewhere" in str(model.requests[0].messages[-1].get("content"))


async def make_due(store: Store, schedule: Schedule) -> None:
    """As one that was turned on two minutes ago; only turning it on says from when on it counts."""
    for enabled in (False, True):
        await store.write(
            schedules.enable, schedule.id, enabled=enabled, counted_from=now() - 120_000, actor="user"
        )


async def test_a_due_schedule_is_sent_as_a_message_and_refills_the_budget(tmp_path: Path):
    model = Scripted(lambda _: said("checked"))
    async with stage(tmp_path, model) as scene:
        session, store = scene.opened.session, scene.opened.store
        await store.write(sessions.count_wake, session.id, stagnant=2)
        schedule = await session.schedules.add("* * * * *", "check the build")
        await make_due(store, schedule)
        running = asyncio.ensure_future(session.run())
        while not model.requests or session.busy:
            await asyncio.sleep(0.01)
        record = await store.read(sessions.get, session.id)
        running.cancel()
        await asyncio.wait([running])

    assert model.requests[0].messages[-1].get("content") == "check the build"
    assert (record.wakes, record.stagnant) == (0, 0)
    assert len(model.requests) == 1


async def test_a_schedule_that_fires_again_and_again_during_a_hold_is_queued_once(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene:
        session, store = scene.opened.session, scene.opened.store
        await session.interrupt()
        schedule = await session.schedules.add("* * * * *", "check the build")
        running = asyncio.ensure_future(session.run())
        for _ in range(4):
            await make_due(store, schedule)
            session.stir()
            while (await session.schedules.next() or 0) <= now():
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])

    assert session.queued == ("check the build",)
    assert scene.model.requests == []


async def test_a_plan_agent_cannot_complete_by_any_of_its_tools(tmp_path: Path):
    add = ("todo_add", {"items": [{"title": "a", "status": "completed"}]})
    update = ("todo_update", {"updates": [{"id": 1, "status": "done"}]})
    model = Scripted([said("", ("todo_add", {"title": "a"})), said("", add), said("", update), said("ok")])
    async with stage(tmp_path, model, agent="plan", max_wakes=0) as scene:
        await scene.ask("plan")
        statuses = [todo.status for todo in scene.opened.session.agenda.todos]
        names = [tool.name for tool in model.requests[0].tools]

    assert statuses == ["pending"]
    assert "todo_complete" not in names
    assert {"artifact_create", "artifact_stage"} <= set(names)


async def test_a_todo_of_the_user_starts_nothing_while_the_session_rests(tmp_path: Path):
    model = Scripted([said("", ("todo_complete", {"id": 1})), said("done")])
    async with stage(tmp_path, model) as scene:
        session = scene.opened.session
        running = asyncio.ensure_future(session.run())
        await session.agenda.service.add(USER, [Draft("typed before anything was said")])
        session.stir()
        rested = await settled(scene, "idle")
        requests = len(model.requests)
        await session.wake()
        woken = await settled(scene, "dormant")
        running.cancel()
        await asyncio.wait([running])

    assert (requests, rested.reason) == (0, "1 open")
    assert (woken.reason, woken.wakes) == ("nothing open", 1)


async def settled(scene: Stage, state: str) -> Session:
    """The stored session, as soon as it is in that state."""
    while True:
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)
        if record.state == state and not scene.opened.session.busy:
            return record
        await asyncio.sleep(0.01)


async def test_unblocking_a_todo_starts_nothing_after_the_turn(tmp_path: Path):
    plan = ("todo_add", {"items": [{"title": "deploy", "status": "blocked", "blocked_reason": "no key"}]})
    model = Scripted([said("", plan), said("waiting")])
    async with stage(tmp_path, model) as scene:
        session = scene.opened.session
        await scene.ask("deploy it")
        await session.agenda.service.update(USER, [Edit(1, status="pending")])
        outcome = await session.run(until_idle=True)

    assert (outcome.state, outcome.reason, len(model.requests)) == ("idle", "1 open", 2)


@pytest.mark.parametrize(("answer", "most"), [("It is green.", 1), ("", 3)])
async def test_one_wake_without_progress_is_enough_after_a_side_question(
    tmp_path: Path, answer: str, most: int
):
    def talk(_: Request) -> Answer:
        first = len(model.requests) == 1 and not answer
        return said("", ("todo_add", {"title": "more"})) if first else said(answer or "hm")

    model = Scripted(talk)
    async with stage(tmp_path, model) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("left over")])
        outcome = await scene.ask("what colour is it?")

    assert (wakes(scene), outcome.state) == (most, "idle")
    assert f"{most} wake{'' if most == 1 else 's'} without progress" in outcome.reason


@pytest.mark.parametrize("agent", ["plan", "build"])
async def test_an_agent_that_may_complete_nothing_is_not_woken(tmp_path: Path, agent: str):
    model = Scripted([said("", ("todo_add", {"title": "a step"})), *[said("hm") for _ in range(9)]])
    async with stage(tmp_path, model, agent=agent) as scene:
        outcome = await scene.ask("plan it")

    assert wakes(scene) == (0 if agent == "plan" else 3)
    assert ("may not complete todos" in outcome.reason) == (agent == "plan")
