import asyncio
from pathlib import Path

from store import workspaces
from store.database import Store, open_store
from store.records import Change
from store.watch import watch


async def collect(store: Store, count: int, after: int | None = None) -> list[Change]:
    found: list[Change] = []
    async for batch in watch(store, after):
        found.extend(batch)
        if len(found) >= count:
            return found
    return found


async def test_the_changes_of_another_store_arrive_in_order_and_once(path: Path):
    async with open_store(path) as ours, open_store(path) as theirs:
        watching = asyncio.ensure_future(collect(ours, 3, 0))
        for name in ("/a", "/b", "/c"):
            await theirs.write(workspaces.trust, name, trusted=True)

        found = await watching

    assert [change.entity_id for change in found] == ["/a", "/b", "/c"]


async def test_own_changes_between_foreign_ones_are_left_out(path: Path):
    async with open_store(path) as ours, open_store(path) as theirs:
        watching = asyncio.ensure_future(collect(ours, 2, 0))
        await theirs.write(workspaces.trust, "/theirs 1", trusted=True)
        await ours.write(workspaces.trust, "/ours", trusted=True)
        await theirs.write(workspaces.trust, "/theirs 2", trusted=True)

        found = await watching

    assert [change.entity_id for change in found] == ["/theirs 1", "/theirs 2"]


async def test_a_watcher_starts_where_it_was_told(path: Path):
    async with open_store(path) as ours, open_store(path) as theirs:
        await theirs.write(workspaces.trust, "/old", trusted=True)
        (old,) = await collect(ours, 1, 0)
        await theirs.write(workspaces.trust, "/new", trusted=True)

        (new,) = await collect(ours, 1, old.seq)

    assert new.entity_id == "/new"


async def test_another_tenant_hears_nothing(path: Path):
    async with open_store(path) as ours, open_store(path) as theirs:
        watching = asyncio.ensure_future(collect(ours.for_tenant("stranger"), 1, 0))
        await theirs.write(workspaces.trust, "/secret", trusted=True)
        await theirs.for_tenant("stranger").write(workspaces.trust, "/mine", trusted=True)

        (found,) = await watching

    assert found.entity_id == "/mine"
