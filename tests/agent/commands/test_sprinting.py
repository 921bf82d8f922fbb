from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.commands.errors import CommandError
from agent.commands.results import TodoList
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from tests.agent.commands.desk import Desk, desk


@pytest.fixture
async def typing(tmp_path: Path) -> AsyncGenerator[Desk, None]:
    async with desk(tmp_path) as opened:
        await opened.context.opened.session.agenda.service.add(
            USER, [Draft("one"), Draft("two", status="completed"), Draft("three")]
        )
        yield opened


async def shown(typing: Desk, line: str) -> list[int]:
    result = await typing.type(line)
    return [todo.id for todo in result.todos] if isinstance(result, TodoList) else []


async def test_a_sprint_is_filled_filtered_by_and_emptied(typing: Desk) -> None:
    await typing.read("/sprint add Beta release")
    await typing.read("/sprint put beta 1 2")

    assert await shown(typing, "/todos sprint:beta") == [1]
    assert await shown(typing, "/todos all sprint:1") == [1, 2]
    await typing.read("/sprint take one")
    assert await shown(typing, "/todos all sprint:beta") == [2]


async def test_the_sprints_are_listed_with_their_status_and_progress(typing: Desk) -> None:
    for line in ("/sprint add Alpha", "/sprint add Beta", "/sprint put 2 1 2", "/sprint status be active"):
        await typing.read(line)

    listed = await typing.read("/sprint")

    assert [row.split()[:4] for row in listed.splitlines()[1:3]] == [
        ["1", "Alpha", "planned", "0/0"],
        ["2", "Beta", "active", "1/2"],
    ]


async def test_deleting_a_sprint_leaves_its_todos(typing: Desk) -> None:
    await typing.read("/sprint add Beta")
    await typing.read("/sprint put beta 1 3")

    await typing.read("/sprint delete beta")

    assert await shown(typing, "/todos sprint:1") == []
    assert await shown(typing, "/todos open") == [1, 3]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("/sprint put zeta 1", "no sprint begins with 'zeta'; there are: 1 Beta, 2 Better"),
        ("/sprint delete bet", "2 sprints begin with 'bet'"),
        ("/sprint put beta 99", "no todo #99"),
        ("/sprint status beta over", "planned|active|review|complete"),
        ("/sprint add Beta", "there is a sprint 'Beta' already"),
    ],
)
async def test_what_cannot_be_done_says_why(typing: Desk, line: str, says: str) -> None:
    await typing.read("/sprint add Beta")
    await typing.read("/sprint add Better")

    with pytest.raises(CommandError) as refused:
        await typing.type(line)

    assert says in str(refused.value)
