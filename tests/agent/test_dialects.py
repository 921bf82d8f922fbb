"""Every dialect through the whole session: the plan is written, items are closed, wakes go on to the end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.events import Notice, ToolFinished, WakeStarted
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from tests.agent.openings import stage
from tests.provider.strict import complaint

TITLES = ("first", "second", "third")


def open_ids(request: Request) -> list[int]:
    """The ids the model reads in the newest message, when that is the list."""
    text = str(request.messages[-1].get("content"))
    return [int(line.split()[1][1:]) for line in text.splitlines() if line.startswith("- #")]


def texts(request: Request, role: str) -> list[str]:
    return [str(message.get("content")) for message in request.messages if message["role"] == role]


def standard(ids: list[int]) -> Answer:
    if not ids:
        return said("", ("todo_add", {"items": json.dumps([{"title": title} for title in TITLES])}))
    return said("", ("todo_complete", {"ids": f'["#{ids[0]}"]'}))


def skills(ids: list[int]) -> Answer:
    if not ids:
        return said("", ("todo_write", {"items": list(TITLES)}))
    return said("", ("todo_update", {"id": ids[0], "status": "done"}))


def tasks(ids: list[int]) -> Answer:
    if not ids:
        return said("", ("task_create", {"items": list(TITLES)}))
    return said("", ("task_update", {"id": ids[0], "status": "completed"}))


def whole_list(ids: list[int]) -> Answer:
    kept = dict(zip(TITLES, ["completed"] * (3 - len(ids or TITLES)) + ["pending"] * 3, strict=False))
    if ids:
        kept[TITLES[3 - len(ids)]] = "completed"
    rows = [{"content": title, "status": status, "priority": "medium"} for title, status in kept.items()]
    return said("", ("todowrite", {"todos": rows}))


def writ(ids: list[int]) -> Answer:
    if not ids:
        return said("The plan:\n" + "\n\n".join(f"/todo add {title}" for title in TITLES))
    return said(f"One more.\n/todo done {ids[0]}")


CLOSING = {
    "standard": (standard, "todo_complete(id)"),
    "skills": (skills, 'todo_update(id, "done")'),
    "list": (whole_list, 'todowrite with its status "completed"'),
    "tasks": (tasks, 'task_update(id, "completed")'),
    "writ": (writ, "/todo done ID"),
}


def lazy(step: Callable[[list[int]], Answer]) -> Scripted:
    """Plans, then closes one item at every wake, and stops each time."""

    def answer(request: Request) -> Answer:
        ids = open_ids(request)
        planning = len(model.requests) == 1
        return step(ids) if planning or ids else said("Enough for now.")

    model = Scripted(answer)
    return model


@pytest.mark.parametrize("dialect", CLOSING)
async def test_a_plan_is_carried_through_by_wakes(tmp_path: Path, dialect: str):
    step, closing = CLOSING[dialect]
    model = lazy(step)

    async with stage(tmp_path, model, assignments=(f"todos.dialect={dialect}",)) as scene:
        outcome = await scene.ask("do three things")
        done = {todo.title: todo.status for todo in scene.opened.session.agenda.todos}

    assert outcome.state == "dormant"
    assert done == dict.fromkeys(TITLES, "completed")
    assert sum(isinstance(event, WakeStarted) for event in scene.events) == 3
    assert [event.text for event in scene.events if isinstance(event, Notice)] == ["all done · 3/3"]
    nudges = [text for text in texts(model.requests[-1], "user") if "You still have open todos" in text]
    assert len(nudges) == 3
    assert all(closing in nudge for nudge in nudges)
    assert not any(complaint({"messages": list(request.messages)}) for request in model.requests)


@pytest.mark.parametrize("dialect", CLOSING)
async def test_every_request_begins_with_the_whole_one_before_it(tmp_path: Path, dialect: str):
    model = lazy(CLOSING[dialect][0])

    async with stage(tmp_path, model, assignments=(f"todos.dialect={dialect}",)) as scene:
        await scene.ask("do three things")

    for before, after in zip(model.requests, model.requests[1:], strict=False):
        assert list(after.messages[: len(before.messages)]) == list(before.messages)
        assert after.tools == before.tools


async def test_the_whole_list_is_answered_with_its_rows_and_how_many_remain(tmp_path: Path):
    async with stage(tmp_path, lazy(whole_list), assignments=("todos.dialect=list",), max_wakes=1) as scene:
        await scene.ask("do three things")

    written = [event for event in scene.events if isinstance(event, ToolFinished)]
    assert [event.title for event in written] == ["3 todos", "2 todos"]
    rows = written[-1].metadata["todos"]
    assert json.loads(written[-1].output)["todos"] == rows
    assert {row["content"]: row["status"] for row in rows}["first"] == "completed"
    assert all(isinstance(row["id"], str) for row in rows)


async def test_commands_in_a_reply_that_also_calls_tools_are_carried_out(tmp_path: Path):
    model = Scripted([said("/todo add look around", ("glob", {"pattern": "*"})), said("seen")])

    async with stage(tmp_path, model, assignments=("todos.dialect=writ",), max_wakes=0) as scene:
        await scene.ask("look")
        titles = [todo.title for todo in scene.opened.session.agenda.todos]

    assert titles == ["look around"]
    last = texts(model.requests[1], "user")[-1]
    assert last.startswith("[/todo add look around]\n#1 [pending] look around\n[END TODO]")
    assert not any(complaint({"messages": list(request.messages)}) for request in model.requests)


async def test_a_run_goes_on_with_its_tasks_after_a_restart(tmp_path: Path):
    settings = ("todos.dialect=tasks",)
    async with stage(tmp_path, lazy(tasks), assignments=settings, max_wakes=1) as scene:
        await scene.ask("do three things")
        await scene.kill()
    model = lazy(lambda ids: tasks(ids) if ids else said("?"))

    async with stage(tmp_path, model, assignments=settings, proceed="newest", max_wakes=3) as scene:
        outcome = await scene.opened.session.run(until_idle=True)
        done = [todo.status for todo in scene.opened.session.agenda.todos]

    assert (outcome.state, done) == ("dormant", ["completed"] * 3)


async def test_what_the_user_adds_to_a_list_of_tasks_can_be_closed_like_them(tmp_path: Path):
    model = lazy(lambda ids: tasks(ids) if ids else said("nothing planned"))

    async with stage(tmp_path, model, assignments=("todos.dialect=tasks",)) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("from the user")])
        outcome = await scene.ask("hello")

    assert outcome.state == "dormant"
