from store import sessions
from store.database import Store, Writer


async def test_the_newest_session_is_the_one_changed_last_whatever_the_clock_says(store: Store):
    first = await store.write(sessions.create, "/project", agent="build", model="m")
    second = await store.write(sessions.create, "/project", agent="build", model="m")
    assert await store.read(sessions.newest, "/project") == second

    await store.write(sessions.rename, first.id, "taken up again")
    await store.write(set_clock_back, first.id)

    newest = await store.read(sessions.newest, "/project")
    assert newest is not None
    assert newest.id == first.id


async def set_clock_back(writer: Writer, session_id: str) -> None:
    await writer.run("UPDATE sessions SET updated_at = 5 WHERE id = ?", session_id)
