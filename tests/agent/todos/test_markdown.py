from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import AccessError
from agent.todos.markdown import export, merged, parse
from agent.todos.rules import STATUSES
from agent.todos.service import TodoService
from agent.todos.transaction import Changed, Plan
from store.records import TodoStatus
from tests.agent.todos.conftest import EXPLORER
from tests.store.drafts import todo

PLAN = """# A plan

- [ ] build
  > with care
  >
  > and tests
  - [x] compile
  - [!] link (blocked: no linker)
- [~] paint
* [ ] ship
- no box
"""


async def bring_in(service: TodoService, text: str, actor: Actor = USER) -> Changed:
    return await service.change(actor, lambda known: merged(known.todos, parse(text)))


async def test_boxes_become_todos_and_nesting_becomes_subtasks(service: TodoService) -> None:
    await bring_in(service, PLAN)

    found = {todo.title: todo for todo in service.snapshot.todos}
    assert {title: todo.status for title, todo in found.items()} == {
        "build": "pending",
        "compile": "completed",
        "link": "blocked",
        "paint": "cancelled",
        "ship": "pending",
    }
    assert found["compile"].parent_id == found["link"].parent_id == found["build"].id
    assert found["link"].blocked_reason == "no linker"
    assert found["build"].notes == "with care\n\nand tests"


async def test_what_is_written_out_reads_back_as_the_same(service: TodoService) -> None:
    await bring_in(service, PLAN)

    assert export(service.snapshot.todos) == (
        "- [ ] build\n  > with care\n  >\n  > and tests\n"
        "  - [x] compile\n  - [!] link (blocked: no linker)\n- [~] paint\n- [ ] ship\n"
    )


async def test_bringing_in_twice_adds_nothing(service: TodoService) -> None:
    await bring_in(service, PLAN)

    again = await bring_in(service, PLAN)
    own = await bring_in(service, export(service.snapshot.todos))

    assert (again.change, own.change) == (None, None)


async def test_a_plan_read_after_the_work_was_done_reopens_nothing(service: TodoService) -> None:
    await bring_in(service, "- [ ] build\n- [ ] ship")
    build = service.snapshot.todos[0].id
    await service.complete(USER, [build])

    assert (await bring_in(service, "- [ ] build\n- [ ] ship")).change is None


async def test_a_box_ticked_in_the_file_completes_the_todo(service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("build")])).todos
    await service.update(USER, [Edit(todo.id, status="in_progress")])

    await bring_in(service, "- [X] build\n  - [ ] below")

    known = service.snapshot
    assert known.by_id[todo.id].status == "completed"
    assert [each.parent_id for each in known.todos if each.title == "below"] == [todo.id]


async def test_equal_titles_are_told_apart_by_their_number(service: TodoService) -> None:
    await bring_in(service, "- [ ] test\n- [ ] test")

    assert len(service.snapshot.todos) == 2
    assert (await bring_in(service, "- [ ] test\n- [ ] test")).change is None


async def test_readonly_may_not_bring_in_what_is_ticked(service: TodoService) -> None:
    await bring_in(service, "- [ ] build", EXPLORER)

    for text in ("- [x] build", "- [ ] new\n  - [x] below"):
        with pytest.raises(AccessError):
            await bring_in(service, text, EXPLORER)


PIECES = st.sampled_from(["foo", "(blocked: a)", "[x]", "- [ ]", "> note", "#3", "a  b", "x (blocked:"])
TITLES = st.lists(PIECES, min_size=1, max_size=4).map(" ".join)


@given(
    st.lists(st.tuples(TITLES, st.sampled_from(STATUSES), TITLES, st.integers(0, 5)), min_size=1, max_size=6)
)
def test_any_list_written_out_and_read_again_changes_nothing(
    rows: list[tuple[str, TodoStatus, str, int]],
) -> None:
    todos = [
        replace(
            todo(),
            id=number,
            title=title,
            status=status,
            blocked_reason=reason if status == "blocked" else None,
            notes=reason,
            parent_id=parent if parent in range(1, number) else None,
            position=number,
        )
        for number, (title, status, reason, parent) in enumerate(rows, 1)
    ]

    plan = merged(todos, parse(export(todos)))

    assert plan == Plan()
