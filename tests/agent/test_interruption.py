import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent import interruption
from agent.context.history import NOT_RUN, to_chat
from agent.events import QuestionAsked
from agent.journal import Journal
from agent.models.assemble import Call
from agent.models.scripted import Scripted, said
from store import sessions
from store.database import open_store
from store.records import Part, Usage
from tests.agent.openings import opening, stage


async def begin(journal: Journal) -> None:
    await journal.say("mend the tests", "human")


async def write(journal: Journal) -> None:
    await begin(journal)
    await journal.begin_reply()
    await journal.stream("text", "I will look at")


async def propose(journal: Journal) -> Part:
    await write(journal)
    calls = [Call("c1", "shell", '{"command": "make test"}', {}), Call("c2", "read", "not JSON", None)]
    _, (one, _) = await journal.conclude(calls, usage=Usage(), cost=0, finish="tool_calls")
    return one


async def ask(journal: Journal) -> None:
    await journal.update_call(await propose(journal), "running")


async def question(journal: Journal) -> None:
    await write(journal)
    calls = [Call("c1", "ask_user", '{"question": "Which?"}', {})]
    _, (one,) = await journal.conclude(calls, usage=Usage(), cost=0, finish="tool_calls")
    await journal.update_call(one, "running")


async def finish(journal: Journal) -> None:
    await write(journal)
    await journal.conclude([], usage=Usage(), cost=0, finish="stop")


CUT = "`shell make test` cut off while running, not run again by itself"
UNRUN = "`shell make test` waited for your approval and was not run"
UNANSWERED = "`ask_user Which?` waited for your answer"
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
        (
            propose,
            "awaiting_approval",
            f"the last turn was interrupted: {UNRUN}; 1 tool call had not begun{KEPT}",
        ),
        (question, "awaiting_human", f"the last turn was interrupted: {UNANSWERED}{KEPT}"),
        (finish, "awaiting_approval", f"the last turn was interrupted: it waited for your approval{KEPT}"),
        (finish, "awaiting_human", f"the last turn was interrupted: it waited for your answer{KEPT}"),
        (finish, "running", f"the last turn was interrupted: it was between two steps{KEPT}"),
    ],
)
async def test_the_next_start_says_what_was_interrupted(
    tmp_path: Path, leave: Callable[[Journal], Awaitable[object]], state: sessions.SessionState, line: str
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


async def test_what_waited_for_approval_was_neither_run_nor_told_so(tmp_path: Path):
    shell = ("shell", {"command": "make test"})
    async with stage(tmp_path, Scripted([said("", shell)]), attended=True) as scene:
        session = scene.opened.session
        with session.subscribe() as heard:
            await session.send("go")
            running = asyncio.create_task(session.run())
            async for event in heard:
                if isinstance(event, QuestionAsked):
                    break
            running.cancel()
            await asyncio.wait([running])

    model = Scripted([said("as you wish")])
    async with stage(tmp_path, model, proceed="newest") as scene:
        (line,) = (notice for notice in scene.opened.notices if "interrupted" in notice)
        await scene.ask("go on")

    assert "it waited for your approval" in line
    assert NOT_RUN in str(model.requests[0].messages)


async def test_after_a_kill_a_call_that_waited_is_stored_as_not_begun(tmp_path: Path):
    base = opening(tmp_path)
    async with open_store(base.paths.database) as store:
        record = await store.write(sessions.create, str(base.root), agent="build", model="scripted")
        await propose(Journal(store, record.id, agent="build", model="scripted"))
        again = Journal(store, record.id, agent="build", model="scripted")
        await again.load()

    assert NOT_RUN in str(to_chat("", again.messages))
