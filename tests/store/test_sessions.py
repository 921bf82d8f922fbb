import pytest

from store import prompts, sessions
from store.database import Store, Writer
from store.errors import MissingError


async def test_the_newest_session_is_the_one_changed_last_whatever_the_clock_says(store: Store):
    first = await store.write(sessions.create, "/project", agent="build", model="m")
    second = await store.write(sessions.create, "/project", agent="build", model="m")
    assert await store.read(sessions.newest, "/project") == second

    await store.write(sessions.rename, first.id, "taken up again")
    await store.write(set_clock_back, first.id)

    newest = await store.read(sessions.newest, "/project")
    assert newest is not None
    assert newest.id == first.id


async def test_a_session_that_was_only_opened_can_be_dropped_and_what_was_typed_stays(store: Store):
    opened = await store.write(sessions.create, "/project", agent="build", model="m")
    await store.write(sessions.set_state, opened.id, "dormant", "nothing open")
    await store.write(prompts.add, "/project", opened.id, "!ls")

    await store.write(sessions.drop_untouched, opened.id)

    with pytest.raises(MissingError):
        await store.read(sessions.get, opened.id)
    assert [prompt.text for prompt in await store.read(prompts.recent, "/project")] == ["!ls"]


async def test_a_session_in_which_anything_was_set_is_kept(store: Store):
    opened = await store.write(sessions.create, "/project", agent="build", model="m")
    await store.write(sessions.set_budget, opened.id, 2.0)

    await store.write(sessions.drop_untouched, opened.id)

    assert (await store.read(sessions.get, opened.id)).max_cost == 2.0


async def set_clock_back(writer: Writer, session_id: str) -> None:
    writer.run("UPDATE sessions SET updated_at = 5 WHERE id = ?", session_id)
