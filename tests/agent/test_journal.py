import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.context.history import to_chat
from agent.journal import Journal
from agent.models.assemble import Call
from agent.tools.tool import Attachment
from store import messages, sessions
from store.database import Store, open_store
from store.records import Usage
from tests.provider.strict import complaint

CALL = Call("c1", "read", '{"path": "a"}', {"path": "a"})


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store, None]:
    async with open_store(tmp_path / "wakeful.db") as opened:
        yield opened


@pytest.fixture
async def journal(store: Store) -> Journal:
    record = await store.write(sessions.create, "/project", agent="build", model="m")
    return Journal(store, record.id, agent="build", model="m")


async def reloaded(store: Store, journal: Journal) -> Journal:
    other = Journal(store, journal.session_id, agent="build", model="m")
    await other.load()
    return other


async def test_a_whole_turn_is_on_disk_as_it_is_in_memory(store: Store, journal: Journal):
    await journal.say("look at a", "human")
    await journal.begin_reply()
    await journal.stream("reasoning", "hm")
    await journal.stream("text", "I will ")
    await journal.stream("text", "read it")
    _, (pending,) = await journal.conclude([CALL], usage=Usage(5, 6), cost=0.25, finish="tool_calls")
    running = await journal.update_call(pending, "running")
    await journal.update_call(
        running, "completed", "its text", attachments=[Attachment("image/png", b"x", "a")]
    )

    other = await reloaded(store, journal)

    assert other.messages == journal.messages
    assert [part.kind for part in other.messages[-1].parts] == ["reasoning", "text", "tool", "step", "file"]
    record = await store.read(sessions.get, journal.session_id)
    assert (record.usage.input, record.usage.output, record.cost) == (5, 6, 0.25)


async def test_a_request_that_was_answered_is_a_step_with_its_cost(store: Store, journal: Journal):
    await journal.say("look at a", "human")
    reply = await journal.begin_reply()
    await journal.stream("text", "done")
    await journal.conclude([], usage=Usage(5, 6, 7), cost=0.25, finish="stop")

    step = (await reloaded(store, journal)).messages[-1].parts[-1]

    assert (step.kind, step.started_at, step.ended_at is None) == ("step", reply.created_at, False)
    assert json.loads(step.data or "") == {
        "finish": "stop",
        "cost": 0.25,
        "usage": {"input": 5, "output": 6, "cache_read": 7, "cache_write": 0, "reasoning": 0},
    }


async def test_a_reply_that_comes_again_is_not_doubled(store: Store, journal: Journal):
    await journal.say("hello", "human")
    await journal.begin_reply()
    await journal.stream("text", "half a sen")
    await journal.start_over("the connection was cut")
    await journal.stream("text", "a whole sentence")
    await journal.conclude([], usage=Usage(), cost=0, finish="stop")

    other = await reloaded(store, journal)

    assert other.messages[-1].text == "a whole sentence"
    assert [part.kind for part in other.messages[-1].parts] == ["retry", "text", "step"]


@pytest.mark.parametrize("stage", ["begun", "streaming", "pending", "running"])
async def test_a_history_left_at_any_point_is_closed_and_sendable(store: Store, journal: Journal, stage: str):
    await journal.say("hello", "human")
    await journal.begin_reply()
    if stage != "begun":
        await journal.stream("text", "partial")
    if stage in ("pending", "running"):
        _, (pending,) = await journal.conclude([CALL], usage=Usage(), cost=0, finish="tool_calls")
        if stage == "running":
            await journal.update_call(pending, "running")

    resumed = Journal(store, journal.session_id, agent="build", model="m")
    torn = await resumed.load()
    await resumed.say("go on", "human")

    assert torn
    assert complaint({"messages": list(to_chat("s", resumed.messages))}) is None
    parts = [part for message in resumed.messages for part in message.parts]
    assert all(part.ended_at is not None for part in parts)
    assert "running" not in {part.status for part in parts}
    if stage != "begun":
        assert resumed.messages[1].text == "partial"
    assert not await Journal(store, journal.session_id, agent="", model="").load()


async def test_a_long_history_is_read_only_when_it_is_needed(store: Store, journal: Journal):
    for number in range(120):
        await journal.say(str(number), "human")
    await journal.begin_reply()
    await journal.conclude([CALL], usage=Usage(), cost=0, finish="tool_calls")

    other = Journal(store, journal.session_id, agent="build", model="m")
    await other.load()
    shown = [message.text for message in other.messages]
    await other.say("more", "human")
    await other.read_all()

    assert shown == [*map(str, range(71, 120)), ""]
    assert [message.text for message in other.messages] == [*map(str, range(120)), "", "more"]
    assert other.call_ids == {"c1"}


async def test_abandoning_a_turn_closes_what_is_open_and_keeps_what_is_done(store: Store, journal: Journal):
    second = Call("c2", "read", "{}", {})
    await journal.begin_reply()
    _, (one, two) = await journal.conclude([CALL, second], usage=Usage(), cost=0, finish="tool_calls")
    await journal.update_call(one, "completed", "done")
    await journal.update_call(two, "running")

    await journal.abandon("interrupted")

    statuses = [part.status for part in journal.messages[-1].parts if part.kind == "tool"]
    assert statuses == ["completed", "interrupted"]
    assert (await reloaded(store, journal)).messages == journal.messages


async def test_what_streams_is_found_on_disk_before_it_ends(store: Store, journal: Journal):
    await journal.begin_reply()
    await journal.stream("text", "first")

    (stored,) = await store.read(messages.load, journal.session_id)

    assert stored.text == "first"
