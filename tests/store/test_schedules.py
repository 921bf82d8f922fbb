from dataclasses import replace

import pytest

from store import changes, schedules, sessions
from store.database import Store
from store.errors import MissingError
from store.records import Session


async def test_a_schedule_is_added_listed_switched_and_removed(store: Store, session: Session):
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    schedule = await store.write(schedules.add, session.id, "0 9 * * *", "good morning", actor="user")
    foreign = await store.write(schedules.add, other.id, "0 9 * * *", "hello", actor="user")
    assert await store.read(schedules.listed, session.id) == (schedule,)
    assert await store.read(schedules.listed, None) == (schedule, foreign)

    off = await store.write(schedules.enable, schedule.id, enabled=False, counted_from=7, actor="user")
    assert off == replace(schedule, enabled=0)
    again = await store.write(schedules.enable, schedule.id, enabled=True, counted_from=8, actor="user")
    assert again == replace(schedule, fired_at=8)
    still = await store.write(schedules.enable, schedule.id, enabled=True, counted_from=9, actor="user")
    assert still == again

    await store.write(schedules.remove, schedule.id, actor="user")
    assert await store.read(schedules.get, schedule.id) is None


async def test_a_schedule_fires_for_one_caller_only(store: Store, session: Session):
    schedule = await store.write(schedules.add, session.id, "0 9 * * *", "good morning", actor="user")

    assert await store.write(schedules.fire, schedule, 100)
    assert not await store.write(schedules.fire, schedule, 100)
    fired = await store.read(schedules.get, schedule.id)
    assert fired == replace(schedule, fired_at=100)
    await store.write(schedules.enable, schedule.id, enabled=False, counted_from=0, actor="user")
    assert not await store.write(schedules.fire, replace(schedule, fired_at=100), 200)


async def test_every_change_of_a_schedule_is_in_the_outbox(store: Store, session: Session):
    schedule = await store.write(schedules.add, session.id, "0 9 * * *", "x", actor="user")
    await store.write(schedules.fire, schedule, 100)
    await store.write(schedules.enable, schedule.id, enabled=False, counted_from=0, actor="user")
    await store.write(schedules.remove, schedule.id, actor="user")

    found = [change for change in await store.read(changes.since, 0) if change.kind.startswith("schedule.")]

    assert [
        change.kind.removeprefix("schedule.") for change in found
    ] == "added fired disabled removed".split()
    assert {(change.session_id, change.workspace) for change in found} == {(session.id, "/project")}


async def test_a_schedule_of_another_tenant_does_not_exist(store: Store, session: Session):
    schedule = await store.write(schedules.add, session.id, "0 9 * * *", "x", actor="user")
    guest = store.for_tenant("guest")

    assert await guest.read(schedules.get, schedule.id) is None
    assert await guest.read(schedules.listed, None) == ()
    assert not await guest.write(schedules.fire, schedule, 100)
    for attempt in (
        guest.write(schedules.add, session.id, "0 9 * * *", "x", actor="user"),
        guest.write(schedules.enable, schedule.id, enabled=False, counted_from=0, actor="user"),
        guest.write(schedules.remove, schedule.id, actor="user"),
    ):
        with pytest.raises(MissingError):
            await attempt
    assert await store.read(schedules.get, schedule.id) == schedule
