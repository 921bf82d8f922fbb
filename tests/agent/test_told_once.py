"""The user changes the list while the agent works: its next request tells it, once, whatever it did."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from tests.agent.openings import stage

ADDED = {
    "standard": ("todo_add", {"items": [{"title": "Boil"}, {"title": "Brew"}, {"title": "Pour"}]}),
    "skills": ("todo_write", {"items": ["Boil", "Brew", "Pour"]}),
    "list": ("todowrite", {"todos": [{"content": each} for each in ("Boil", "Brew", "Pour")]}),
    "tasks": ("task_create", {"items": ["Boil", "Brew", "Pour"]}),
}
Step = tuple[str, dict[str, object]] | str
# What the agent does in the step in which the user changes something.
STEPS: list[tuple[str, Step]] = [
    ("standard", ("glob", {"pattern": "*"})),
    ("standard", ("todo_list", {})),
    ("standard", ("todo_list", {"status": "completed"})),
    ("standard", ("todo_get", {"id": 1})),
    ("standard", ("todo_update", {"id": 2, "status": "in_progress"})),
    ("skills", ("todo_list", {})),
    ("skills", ("todo_update", {"id": 3, "status": "done"})),
    ("list", ("todoread", {})),
    ("list", ("todowrite", {"todos": [{"content": "Brew", "status": "completed"}]})),
    ("tasks", ("task_update", {"id": 2, "status": "in_progress"})),
    ("writ", "/todo list"),
    ("writ", "/todo show 1"),
    ("writ", "/todo start 2"),
]


def reordered(text: str) -> bool:
    return 0 <= text.rfind("Brew") < text.rfind("Boil")


def closed(text: str) -> bool:
    """Said so, or left out of what is open."""
    return "cancelled" in text or ("Brew" in text and "Boil" not in text)


# One after the other on the same list: what the user does, and how a message reads that tells of it.
Change = Callable[[TodoService], Awaitable[object]]
EDITS: dict[str, tuple[Change, Callable[[str], bool]]] = {
    "title": (lambda it: it.update(USER, [Edit(1, title="Boil twice")]), lambda text: "Boil twice" in text),
    "status": (
        lambda it: it.update(USER, [Edit(1, status="blocked", blocked_reason="no power")]),
        lambda text: "no power" in text,
    ),
    "new": (lambda it: it.add(USER, [Draft("Buy milk")]), lambda text: "Buy milk" in text),
    "new and urgent": (
        lambda it: it.add(USER, [Draft("Buy oats", priority="high")]),
        lambda text: "Buy oats" in text and "high" in text,
    ),
    "notes": (lambda it: it.update(USER, [Edit(1, notes="kettle")]), lambda text: "kettle" in text),
    "priority": (lambda it: it.update(USER, [Edit(1, priority="low")]), lambda text: "low" in text),
    "order": (lambda it: it.move(USER, 2, "before", other=1), reordered),
    "cancelled": (lambda it: it.update(USER, [Edit(1, status="cancelled")]), closed),
    "deleted": (lambda it: it.delete(USER, [1]), closed),
}


def new_texts(before: Request, after: Request) -> list[str]:
    """What stands in a request that did not stand in the one before, but for what the model said itself."""
    fresh = after.messages[len(before.messages) :]
    return [json.dumps(each.get("content")) for each in fresh if each["role"] != "assistant"]


@pytest.mark.parametrize(("dialect", "step"), STEPS)
@pytest.mark.parametrize("edit", EDITS)
async def test_a_change_of_the_user_is_told_once(tmp_path: Path, dialect: str, step: Step, edit: str):
    changed, doing = asyncio.Event(), list[object]()
    change, tells = EDITS[edit]

    async def act() -> None:
        try:
            await change(scene.opened.session.agenda.service)
        finally:
            changed.set()

    def answer(request: Request) -> Answer:
        match len(model.requests):
            case 1 if dialect == "writ":
                return said("\n\n".join(f"/todo add {each}" for each in ("Boil", "Brew", "Pour")))
            case 1:
                return said("", ADDED[dialect])
            case 2:
                doing.append(asyncio.ensure_future(act()))
                return (changed, *(said(step) if isinstance(step, str) else said("", step)))
            case _:
                return said("ok")

    model = Scripted(answer)
    settings = (f"todos.dialect={dialect}",)
    async with stage(tmp_path, model, assignments=settings, max_wakes=0) as scene:
        await scene.ask("make tea")

    assert sum(map(tells, new_texts(*model.requests[1:3]))) == 1


async def test_the_agent_hears_that_the_user_deleted_all_it_had_to_do(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "Boil"})), *[said("ok")] * 3])
    async with stage(tmp_path, model, max_wakes=0) as scene:
        service = scene.opened.session.agenda.service
        await scene.ask("plan")
        await service.add(USER, [Draft("never mind")])
        await service.delete(USER, [1, 2])
        await scene.ask("what is next?")
        await scene.ask("and then?")

    telling = [json.dumps(request.messages).count("#1 [deleted]") for request in model.requests]
    assert telling == [0, 0, 1, 1]
    assert "#2" not in json.dumps(model.requests[-1].messages)
