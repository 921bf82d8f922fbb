from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent import interruption
from agent.journal import Journal
from agent.models.assemble import Call
from agent.models.scripted import Scripted, said
from store import sessions
from store.database import open_store
from store.records import Usage
from tests.agent.openings import opening, stage


async def begin(journal: Journal) -> None:
    await journal.say("mend the tests", "human")


async def write(journal: Journal) -> None:
    await begin(journal)
    await journal.begin_reply()
    await journal.stream("text", "I will look at")


async def ask(journal: Journal) -> None:
    await write(journal)
    calls = [Call("c1", "shell", '{"command": "make test"}', {}), Call("c2", "read", "not JSON", None)]
    _, (one, _) = await journal.conclude(calls, usage=Usage(), cost=0, finish="tool_calls")
    await journal.update_call(one, "running")


async def finish(journal: Journal) -> None:
    await write(journal)
    await journal.conclude([], usage=Usage(), cost=0, finish="stop")


CUT = "`shell make test` cut off while running, not run again by itself"
KEPT = "; what was said and done is kept"


@pytest.mark.parametrize(
    ("leave", "state", "line"),
    [
        (begin, "dormant", "“mend the tests” was not answered yet"),
        (begin, "running", f"the last turn was interrupted: “mend the tests” was not answered yet{KEPT}"),
        (
            write,
            "running",
            f"the last turn was interrupted: the reply broke off after “I will look at”{KEPT}",
        ),
        (
            ask,
            "running",
            f"the last turn was interrupted: {CUT}; 1 tool call had not begun{KEPT}",
        ),
        (finish, "awaiting_human", f"the last turn was interrupted: it was between two steps{KEPT}"),
    ],
)
async def test_the_next_start_says_what_was_interrupted(
    tmp_path: Path, leave: Callable[[Journal], Awaitable[None]], state: sessions.SessionState, line: str
):
    base = opening(tmp_path)
    async with open_store(base.paths.database) as store:
        record = await store.write(sessions.create, str(base.root), agent="build", model="scripted")
        await leave(Journal(store, record.id, agent="build", model="scripted"))
        await store.write(sessions.set_state, record.id, state, "working")

    async with stage(tmp_path, Scripted([said("on it")]), proceed="newest") as scene:
        assert line in scene.opened.notices
        found = await scene.opened.store.read(sessions.get, scene.opened.session.id)
        assert (found.state, found.reason) == (
            ("dormant", "working") if state == "dormant" else ("idle", "interrupted")
        )
        await scene.ask("go on")
    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        assert not [
            notice for notice in scene.opened.notices if "interrupted" in notice or "answered" in notice
        ]


async def test_a_hold_of_the_user_is_no_interruption_and_outlives_the_process(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene:
        await scene.opened.session.interrupt()
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    async with stage(tmp_path, Scripted([]), proceed="newest") as scene:
        again = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    assert again.held_at == record.held_at is not None
    assert interruption.told((), again, None) is None
