from contextlib import suppress
from dataclasses import replace

import pytest

from store import changes, messages, search, sessions, todos
from store.database import Reader, Row, Store, Value
from store.errors import MissingError
from store.records import Part, Session, Usage
from tests.store.drafts import text, todo


async def say(store: Store, session: Session, words: str) -> int:
    message = await store.write(messages.append, session.id, "user", "human")
    await store.write(messages.add_part, session.id, text(message.id, words))
    return message.id


async def test_messages_come_back_in_the_order_they_were_written(store: Store, session: Session):
    for number in range(5):
        await say(store, session, f"line {number}")

    loaded = await store.read(messages.load, session.id)

    assert [message.text for message in loaded] == [f"line {number}" for number in range(5)]


async def test_a_limit_gives_the_newest_and_before_gives_the_page_above(store: Store, session: Session):
    for number in range(6):
        await say(store, session, str(number))

    newest = await store.read(messages.load, session.id, limit=2)
    above = await store.read(messages.load, session.id, before=newest[0].id, limit=2)

    assert [message.text for message in newest] == ["4", "5"]
    assert [message.text for message in above] == ["2", "3"]


async def test_pages_lead_from_the_newest_to_the_first(store: Store, session: Session):
    for number in range(5):
        await say(store, session, str(number))

    newest = await store.read(messages.page, session.id, limit=2)
    above = await store.read(messages.page, session.id, before=newest.messages[0].id, limit=2)
    first = await store.read(messages.page, session.id, before=above.messages[0].id, limit=2)

    pages = [newest, above, first]
    assert [[message.text for message in each.messages] for each in pages] == [["3", "4"], ["1", "2"], ["0"]]
    assert [each.older for each in pages] == [3, 1, 0]
    assert await store.read(messages.page, "nobody") == messages.Page((), 0)
    assert await store.for_tenant("other").read(messages.count, session.id) == 0


async def test_what_nobody_ended_is_found(store: Store, session: Session):
    await say(store, session, "hello")
    silent = await store.write(messages.append, session.id, "assistant", "agent")
    torn = await store.write(messages.append, session.id, "assistant", "agent")
    await store.write(messages.end, session.id, torn.id, usage=Usage(), cost=0, finish="tool_calls")
    call = Part(0, torn.id, "tool", call_id="c", tool="read", status="running", started_at=1, ended_at=1)
    await store.write(messages.add_part, session.id, call)
    whole = await store.write(messages.append, session.id, "assistant", "agent")
    await store.write(messages.end, session.id, whole.id, usage=Usage(), cost=0, finish="stop")

    found = await store.read(messages.unfinished, session.id)

    assert [message.id for message in found] == [silent.id, torn.id]
    assert [part.status for part in found[1].parts] == ["running"]
    assert await store.for_tenant("other").read(messages.unfinished, session.id) == ()


async def test_a_tool_part_round_trips_with_every_field(store: Store, session: Session):
    message = await store.write(messages.append, session.id, "assistant", "agent", agent="build", model="m")
    draft = Part(0, message.id, "tool", call_id="c1", tool="read", status="running", input="{}", started_at=5)
    part = await store.write(messages.add_part, session.id, draft)
    done = replace(part, status="completed", output="text", data='{"a": 1}', ended_at=9)
    await store.write(messages.save_part, session.id, done)
    await store.write(
        messages.end, session.id, message.id, usage=Usage(1, 2, 3, 4, 5), cost=0.5, finish="stop"
    )

    (loaded,) = await store.read(messages.load, session.id)

    assert loaded.parts == (done,)
    assert (loaded.usage, loaded.cost, loaded.finish) == (Usage(1, 2, 3, 4, 5), 0.5, "stop")


async def test_a_message_for_a_deleted_session_is_refused(store: Store, session: Session):
    await store.write(sessions.delete, session.id)

    with pytest.raises(MissingError, match="deleted in another window"):
        await store.write(messages.append, session.id, "user", "human")


async def test_deleting_a_session_takes_messages_todos_search_and_history(store: Store, session: Session):
    await say(store, session, "find the needle")
    item = await store.write(todos.add, todo("thread the needle", session_id=session.id))

    await store.write(sessions.delete, session.id)

    assert await store.read(messages.load, session.id) == ()
    assert await store.read(todos.get, item.id) is None
    assert await store.read(search.search, "needle", workspace="/project") == ()
    left = await store.read(changes.since, 0, session_id=session.id)
    assert [change.kind for change in left] == ["session.deleted"]


async def test_search_finds_text_only_once_it_has_ended(store: Store, session: Session):
    message = await store.write(messages.append, session.id, "assistant", "agent")
    part = await store.write(messages.add_part, session.id, text(message.id, "grow", ended=False))
    await store.write(messages.save_part, session.id, replace(part, text="growing"))
    assert await store.read(search.search, "growing", workspace="/project") == ()

    await store.write(messages.save_part, session.id, replace(part, text="growing tall", ended_at=2))

    (hit,) = await store.read(search.search, "tall grow", workspace="/project")
    assert hit.snippet == "\x02growing\x03 \x02tall\x03" or hit.id == message.id


async def test_a_summary_that_is_found_is_not_said_by_anybody(store: Store, session: Session):
    message = await store.write(messages.append, session.id, "user", "summary")
    await store.write(messages.add_part, session.id, Part(0, message.id, "text", text="apples", ended_at=1))

    (hit,) = await store.read(search.search, "apples")

    assert hit.detail == "summary"


async def test_search_follows_a_change_and_stays_inside_the_workspace(store: Store, session: Session):
    message = await store.write(messages.append, session.id, "user", "human")
    part = await store.write(messages.add_part, session.id, text(message.id, "apples"))
    await store.write(messages.save_part, session.id, replace(part, text="pears"))
    await store.write(todos.add, todo("buy pears", session_id=session.id))

    assert await store.read(search.search, "apples", workspace="/project") == ()
    assert len(await store.read(search.search, "pears", workspace="/project")) == 2
    assert await store.read(search.search, "pears", workspace="/elsewhere") == ()


async def test_the_newest_hits_come_first_with_their_session(store: Store, session: Session):
    await store.write(sessions.rename, session.id, "fruit")
    ids = [await say(store, session, f"apple {number}") for number in range(4)]
    await store.write(todos.add, todo("eat the apple", session_id=session.id))
    other = await store.write(sessions.create, "/elsewhere", agent="build", model="m")
    await say(store, other, "apple elsewhere")

    here = await store.read(search.search, "apple", workspace="/project", limit=3)
    everywhere = await store.read(search.search, "apple")
    there = await store.read(search.search, "apple", session_id=other.id)

    assert [(hit.kind, hit.id, hit.title, hit.detail) for hit in here] == [
        ("message", each, "fruit", "user") for each in reversed(ids[1:])
    ]
    assert len(everywhere) == 6
    assert [hit.snippet for hit in there] == ["\x02apple\x03 elsewhere"]


async def test_notes_of_a_todo_are_searched_and_follow_a_change(store: Store, session: Session):
    item = await store.write(
        todos.add, replace(todo("plain", session_id=session.id), notes="look under the sofa")
    )

    (hit,) = await store.read(search.search, "sofa", workspace="/project")
    await store.write(todos.save, replace(item, notes=None))

    assert (hit.kind, hit.id, hit.snippet) == ("todo", item.id, "look under the \x02sofa\x03")
    assert await store.read(search.search, "sofa", workspace="/project") == ()


async def test_long_sessions_are_counted_and_mended_through_indexes(store: Store):
    async def asked(reader: Reader) -> list[str]:
        asking = Asking(reader)
        await messages.unfinished(asking, "s")
        with suppress(MissingError):
            await messages.count(asking, "s")
        return asking.plans

    mending, counting = await store.read(asked)

    assert "SEARCH m USING INDEX messages_unfinished" in mending
    assert "SCAN p USING INDEX parts_unfinished" in mending
    assert "USING COVERING INDEX messages_in_sight" in counting


class Asking(Reader):
    """Notes how SQLite would go about each question, and answers none."""

    def __init__(self, reader: Reader) -> None:
        self.tenant = reader.tenant
        self.plans: list[str] = []
        self._reader = reader

    async def all(self, sql: str, *values: Value) -> list[Row]:
        rows = await self._reader.all(f"EXPLAIN QUERY PLAN {sql}", *values)
        self.plans.append(" ".join(str(row[3]) for row in rows))
        return []


def test_a_snippet_is_cut_where_a_match_begins_and_ends():
    assert list(search.pieces("a \x02b\x03\n c\x02d\x03")) == [
        ("a ", False),
        ("b", True),
        (" c", False),
        ("d", True),
    ]


@pytest.mark.parametrize("words", ['"', "", "NEAR(", 'a" OR "b', "*", "-x", "col:y", "\0"])
async def test_search_takes_any_words_as_words(store: Store, session: Session, words: str):
    await say(store, session, "plain")

    assert await store.read(search.search, words, workspace="/project") == ()


async def test_a_part_that_streams_leaves_one_row_in_the_outbox(store: Store, session: Session):
    message = await store.write(messages.append, session.id, "assistant", "agent")
    part = await store.write(messages.add_part, session.id, text(message.id, "", ended=False))
    for length in range(20):
        await store.write(messages.save_part, session.id, replace(part, text="x" * length))

    rows = await store.read(changes.since, 0, session_id=session.id)

    assert [row.kind for row in rows].count("part.changed") == 1
