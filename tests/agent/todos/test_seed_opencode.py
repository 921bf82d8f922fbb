"""Walks the todo part of the OpenCode document top to bottom in the `list` dialect. Where the product decides
otherwise it is noted: a rewrite keeps ids and what the user did, and items left out become cancelled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.events import TodoUpdated
from agent.models.scripted import Scripted, said
from agent.todos.actors import USER
from agent.todos.dialects.registry import tools
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import AccessError, TodoError
from agent.todos.service import TodoService
from agent.tools.tool import Output
from store import messages, sessions
from store.database import Store
from tests.agent.openings import stage
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import AGENT, EXPLORER


@pytest.fixture
def call(service: TodoService) -> Caller:
    return Caller(service, "list")


def item(content: str, status: str = "pending", priority: str = "medium", **more: str) -> dict[str, str]:
    return {"content": content, "status": status, "priority": priority} | more


def read(output: Output) -> dict[str, Any]:
    return json.loads(output.text)


def titles(service: TodoService) -> dict[str, str]:
    return {todo.title: todo.status for todo in service.snapshot.todos}


def test_there_are_two_tools() -> None:
    assert [tool.name for tool in tools("list")] == ["todowrite", "todoread"]


async def test_writing_stores_the_list_and_answers_with_it(call: Caller, service: TodoService) -> None:
    output = await call.output(
        "todowrite", todos=[item("plan", "completed", "high"), item("build", "in_progress"), item("ship")]
    )

    answer = read(output)
    plan, build, ship = (todo.id for todo in sorted(service.snapshot.todos, key=lambda todo: todo.id))
    assert output.metadata["todos"] == answer["todos"]
    assert answer["todos"] == [
        {"id": str(build), "content": "build", "status": "in_progress", "priority": "medium"},
        {"id": str(ship), "content": "ship", "status": "pending", "priority": "medium"},
        {"id": str(plan), "content": "plan", "status": "completed", "priority": "high"},
    ]
    assert (answer["progress"], answer["open"]) == ("1/3", [f"#{build} build", f"#{ship} ship"])


async def test_the_title_counts_what_remains(call: Caller) -> None:
    # Cancelled is left out of the count here: it is not going to be done.
    output = await call.output("todowrite", todos=[item("a", "completed"), item("b"), item("c", "cancelled")])

    assert output.title == "1 todos"


async def test_reading_answers_the_same_and_changes_nothing(
    call: Caller, service: TodoService, events: list[TodoUpdated]
) -> None:
    written = await call.output("todowrite", todos=[item("a")])

    output = await call.output("todoread")

    assert (output.text, output.title, output.metadata) == (written.text, written.title, written.metadata)
    assert len(events) == 1


async def test_every_reply_ends_with_a_step_part(tmp_path: Path) -> None:
    model = Scripted([said("", ("glob", {"pattern": "*"})), said("done")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("look")
        stored = await scene.opened.store.read(messages.load, scene.opened.session.id)

    kinds = [[part.kind for part in message.parts] for message in stored if message.role == "assistant"]
    assert kinds == [["tool", "step"], ["text", "step"]]


async def test_an_empty_list_reads_as_empty(call: Caller) -> None:
    assert read(await call.output("todoread"))["todos"] == []


async def test_every_write_publishes_the_whole_list(call: Caller, events: list[TodoUpdated]) -> None:
    await call("todowrite", todos=[item("a"), item("b")])
    await call("todowrite", todos=[item("a", "completed"), item("b", "in_progress")])

    assert [[todo.title for todo in event.todos] for event in events] == [["a", "b"], ["b", "a"]]


async def test_ids_survive_a_rewrite_by_id_and_by_title(call: Caller, service: TodoService) -> None:
    await call("todowrite", todos=[item("a"), item("b")])
    a, b = (todo.id for todo in service.snapshot.todos)

    await call("todowrite", todos=[item("renamed", id=str(a)), item("B ", "in_progress")])

    known = service.snapshot.by_id
    assert (known[a].title, known[b].status, len(known)) == ("renamed", "in_progress", 2)


async def test_an_unknown_id_makes_a_new_item(call: Caller, service: TodoService) -> None:
    await call("todowrite", todos=[item("a", id="01J8ZQ4M6T"), item("b", id="12345")])

    assert list(titles(service)) == ["a", "b"]


async def test_what_is_left_out_becomes_cancelled_and_is_named(call: Caller, service: TodoService) -> None:
    await call("todowrite", todos=[item("a"), item("b"), item("c", "completed")])
    b = next(todo.id for todo in service.snapshot.todos if todo.title == "b")

    output = await call.output("todowrite", todos=[item("a")])

    assert titles(service) == {"a": "pending", "b": "cancelled", "c": "completed"}
    assert read(output)["cancelled"] == [f"#{b} b"]


async def test_what_the_user_added_or_changed_meanwhile_stays(call: Caller, service: TodoService) -> None:
    await call("todowrite", todos=[item("a"), item("b"), item("c")])
    a, b, c = (todo.id for todo in service.snapshot.todos)
    await service.add(USER, [Draft("the user's own"), Draft("shared", workspace_wide=True)])
    await service.update(
        USER, [Edit(a, title="better a"), Edit(b, status="completed"), Edit(c, priority="high")]
    )

    await call("todowrite", todos=[item("a", "in_progress", id=str(a)), item("b", "pending")])

    known = service.snapshot.by_id
    assert (known[a].title, known[a].status) == ("better a", "in_progress")
    assert known[b].status == "completed"
    assert (known[c].priority, known[c].status) == ("high", "pending")
    assert titles(service)["the user's own"] == "pending"
    assert titles(service)["shared"] == "pending"


async def test_items_of_the_user_stay_even_after_the_agent_has_seen_them(
    call: Caller, service: TodoService
) -> None:
    await call("todowrite", todos=[item("a")])
    await service.add(USER, [Draft("seen"), Draft("shared", workspace_wide=True)])

    await call("todoread")
    await call("todowrite", todos=[item("a")])

    assert titles(service) == {"a": "pending", "shared": "pending", "seen": "pending"}


async def test_an_item_of_the_user_is_cancelled_by_its_status(call: Caller, service: TodoService) -> None:
    await service.add(USER, [Draft("no longer needed")])
    await call("todoread")

    await call("todowrite", todos=[item("no longer needed", "cancelled")])

    assert titles(service) == {"no longer needed": "cancelled"}


async def test_a_restart_forgets_nothing_the_user_did(
    store: Store, call: Caller, service: TodoService
) -> None:
    await call("todowrite", todos=[item("a")])
    await service.add(USER, [Draft("meanwhile")])
    again = TodoService(store, "/project", service.session_id, print)

    await Caller(again, "list")("todowrite", todos=[item("a")])

    assert titles(again)["meanwhile"] == "pending"


async def test_the_order_that_was_written_is_the_order_of_the_list(
    call: Caller, service: TodoService
) -> None:
    await call("todowrite", todos=[item("a"), item("b")])
    await call("todowrite", todos=[item("b"), item("new"), item("a")])

    assert list(titles(service)) == ["b", "new", "a"]


async def test_a_second_in_progress_is_warned_about(call: Caller) -> None:
    output = await call.output("todowrite", todos=[item("a", "in_progress"), item("b", "in_progress")])

    assert "one at a time" in read(output)["warnings"][0]


async def test_an_empty_write_drops_everything(call: Caller, service: TodoService) -> None:
    await call("todowrite", todos=[item("a")])

    await call("todowrite", todos=[])

    assert titles(service) == {"a": "cancelled"}


@pytest.mark.parametrize(
    ("todos", "words"),
    [
        ([item("a"), item("")], "item 2: the content is empty"),
        ([item("a"), item("b" * 201)], "item 2: the content has 201 characters; 200 fit, shorten it"),
        ([item("a"), item("b", "started")], "item 2: no status 'started'"),
        ([item("a"), item("b", priority="urgent")], "item 2: no priority 'urgent'"),
        ([item("a"), item("b", colour="red")], "item 2: there is no field 'colour'"),
        (
            [item("a"), item("b", "blocked")],
            "item 2: blocked needs a reason; say what it waits for in reason",
        ),
        ([item("x")] * 26, "at most 25"),
    ],
)
async def test_a_list_with_a_fault_is_not_written(
    call: Caller, service: TodoService, todos: list[dict[str, str]], words: str
) -> None:
    with pytest.raises(TodoError) as caught:
        await call("todowrite", todos=todos)

    assert words in str(caught.value)
    assert service.snapshot.todos == ()


async def test_readonly_writes_and_drops_but_never_completes(service: TodoService) -> None:
    call = Caller(service, "list", EXPLORER)
    await call("todowrite", todos=[item("a"), item("b")])
    await call("todowrite", todos=[item("a")])

    for todos in ([item("a", "completed")], [item("a"), item("new", "done")]):
        with pytest.raises(AccessError):
            await call("todowrite", todos=todos)
    assert titles(service) == {"a": "pending", "b": "cancelled"}


async def test_what_another_session_works_on_may_be_sent_back_as_it_is(
    store: Store, service: TodoService
) -> None:
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    theirs = TodoService(store, "/project", other.id, lambda _: None)
    await theirs.add(AGENT, [Draft("theirs", status="in_progress", workspace_wide=True)])
    mine = Caller(service, "list")
    rows = (await mine.output("todoread")).metadata["todos"]

    await mine("todowrite", todos=[*rows, {"content": "mine", "status": "pending", "priority": "low"}])

    assert [(todo.title, todo.assignee) for todo in service.snapshot.todos] == [
        ("theirs", other.id),
        ("mine", None),
    ]
