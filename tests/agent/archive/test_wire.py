import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.archive.gathering import gather
from agent.archive.planting import adopt
from agent.archive.records import ArchiveError
from agent.archive.wire import from_json, to_json
from agent.todos.actors import USER
from agent.todos.service import TodoService
from store import messages, search, sessions, todos
from store.database import Store, open_store
from tests.agent.archive.sample import WORKSPACE, archived, filled, normal


async def test_what_is_imported_and_exported_again_is_the_same_but_for_ids(store: Store, tmp_path: Path):
    first = to_json(await archived(store))
    async with open_store(tmp_path / "other.db") as other:
        # So that no id can stay by chance what it was.
        await filled(other, "/elsewhere")

        made = await adopt(other, from_json(first, "a.json"), WORKSPACE)
        second = to_json(await other.read(gather, made.id))

    assert normal(from_json(second, "b.json")) == normal(from_json(first, "a.json"))
    assert json.loads(second)["messages"][0]["id"] != json.loads(first)["messages"][0]["id"]


async def test_a_file_says_what_it_is_and_names_todos_as_scripts_know_them(store: Store):
    data = json.loads(to_json(await archived(store)))

    assert list(data)[:3] == ["format", "version", "session"]
    assert data["session"]["title"] == "fix the login"
    assert data["session"]["created_at"].endswith("Z")
    assert {"id", "title", "status", "depends_on", "check"} <= set(data["todos"][0])
    assert [message["finish"] for message in data["messages"] if message["role"] == "assistant"] == [
        "tool_calls",
        "interrupted",
    ]


async def test_an_imported_session_waits_is_found_and_its_plan_can_be_undone(store: Store):
    archive = from_json(to_json(await archived(store)), "a.json")

    made = await adopt(store, archive, "/elsewhere")

    assert made.held_at is not None
    assert (made.title, made.cost, made.max_cost) == ("fix the login", 0.25, 2.0)
    hits = await store.read(search.search, "login", workspace="/elsewhere")
    assert {hit.kind for hit in hits} == {"message", "todo"}
    service = TodoService(store, "/elsewhere", made.id, lambda _: None)
    before = {todo.title: todo for todo in (await service.current()).todos}
    assert before["fields"].parent_id == before["Create the model"].id
    assert before["Create the model"].depends_on == (before["Add login"].id,)
    assert before["Add login"].assignee == made.id
    await service.undo(USER)
    after = {todo.title: todo.status for todo in (await service.current()).todos}
    assert (before["Add login"].status, after["Add login"]) == ("in_progress", "pending")


async def test_a_file_chooses_neither_model_nor_agent_and_raises_no_cap(store: Store):
    def hostile(data: dict[str, Any]) -> None:
        data["session"].update(model="oobabooga/http://evil.example", agent="loose", max_cost=1e9)

    archive = from_json(changed(to_json(await archived(store)), hostile), "a.json")

    made = await adopt(store, archive, "/elsewhere", max_cost=1.5)

    assert (made.model, made.agent, made.max_cost) == ("offline", "build", 1.5)


Change = Callable[[dict[str, Any]], object]


def changed(text: str, change: Change) -> str:
    data: dict[str, Any] = json.loads(text)
    change(data)
    return json.dumps(data)


WRONG: list[tuple[Change, str]] = [
    (lambda data: data.update(format="other"), "format: "),
    (lambda data: data.update(version=2), "version: Input should be 1"),
    (lambda data: data.pop("todos"), "todos: Field required"),
    (lambda data: data["messages"][0].update(role="root"), "messages.0.role"),
    (lambda data: data["messages"].append(data["messages"][0]), "two messages have the same id"),
    (lambda data: data["todos"].append(data["todos"][0]), "two todos have the same id"),
    (lambda data: data["todos"][0].update(title="a\nb"), "the title must be one line"),
    (lambda data: data["todos"][0].update(parent_id=data["todos"][0]["id"]), "is below itself"),
    (lambda data: data["todos"][0].update(depends_on=[data["todos"][0]["id"]]), "would wait for itself"),
    (lambda data: data["session"].update(title="x" * 201), "the title is no line of at most 200"),
    (lambda data: data["session"].update(cost=-5.0), "no amount of money"),
    (lambda data: data["session"].update(max_cost=-1), "no amount of money"),
    (lambda data: data["messages"][1].update(cost=-5.0), "no amount of money"),
    (lambda data: data["session"]["usage"].update(input=-5), "a negative number of tokens"),
    (lambda data: data["timeline"][0].update(kind="session.held"), "something that is no todo"),
]


@pytest.mark.parametrize(("change", "why"), WRONG)
async def test_a_file_that_is_wrong_is_refused_by_name(store: Store, change: Change, why: str):
    text = changed(to_json(await archived(store)), change)

    with pytest.raises(ArchiveError) as refused:
        from_json(text, "bad.json")

    assert "bad.json is no session that can be imported" in str(refused.value)
    assert why in str(refused.value)


UNFIT: list[Change] = [
    lambda data: data["messages"][1]["parts"][2].update(call_id=None),
    lambda data: data["todos"][0].update(status="blocked"),
    lambda data: data["session"]["usage"].update(input=2**70),
]


@pytest.mark.parametrize("change", UNFIT)
async def test_what_the_database_refuses_leaves_nothing_behind(store: Store, change: Change):
    archive = from_json(changed(to_json(await archived(store)), change), "bad.json")

    with pytest.raises(ArchiveError, match="the session cannot be stored"):
        await adopt(store, archive, "/elsewhere")

    assert await store.read(sessions.listed, "/elsewhere") == ()
    assert await store.read(todos.visible, "/elsewhere", None) == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "{", "\x00", '"\\ud800"'])
def test_anything_else_is_no_session(text: str):
    with pytest.raises(ArchiveError):
        from_json(text, "bad.json")


async def test_a_long_session_comes_through_whole(store: Store):
    archive = await archived(store)
    session = archive.session.id
    for number in range(300):
        message = await store.write(messages.append, session, "user", "human")
        del message, number

    again = from_json(to_json(await store.read(gather, session)), "a.json")

    assert len(again.messages) == 304
