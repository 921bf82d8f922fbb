from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.schedules import ScheduleError, ScheduleService, due, next_firing, upcoming
from store import sessions
from store.database import Store
from store.records import Schedule, Session

BERLIN = ZoneInfo("Europe/Berlin")
HOUR = 3_600_000


def at(text: str, tz: tzinfo = UTC) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=tz).timestamp() * 1000)


def schedule(cron: str, created: str, *, fired_at: int | None = None, enabled: int = 1) -> Schedule:
    return Schedule(1, "s", cron, "go on", enabled, fired_at, at(created))


@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        ("*/5 * * * *", "2025-01-01 10:02", "2025-01-01 10:05"),
        ("*/5 * * * *", "2025-01-01 10:05", "2025-01-01 10:10"),
        ("0 9 * * 1-5", "2025-01-03 12:00", "2025-01-06 09:00"),
        ("0 9 * * MON", "2025-01-03 12:00", "2025-01-06 09:00"),
        ("0 0 29 2 *", "2025-01-01 00:00", "2028-02-29 00:00"),
        ("0 0 L * *", "2025-02-01 00:00", "2025-02-28 00:00"),
        ("@hourly", "2025-01-01 10:02", "2025-01-01 11:00"),
        (" @Daily ", "2025-01-01 10:02", "2025-01-02 00:00"),
    ],
)
def test_a_cron_text_fires_at_the_next_moment_it_names(cron: str, after: str, expected: str):
    assert next_firing(cron, at(after), UTC) == at(expected)


def test_a_moment_within_the_second_it_fired_in_is_past():
    assert next_firing("* * * * *", at("2025-01-01 10:00") + 1, UTC) == at("2025-01-01 10:01")
    assert next_firing("* * * * *", at("2025-01-01 10:00") - 1, UTC) == at("2025-01-01 10:00")


def test_a_daily_schedule_keeps_its_hour_when_the_clocks_change():
    first = next_firing("0 9 * * *", at("2025-03-29 12:00", BERLIN), BERLIN)
    second = next_firing("0 9 * * *", first, BERLIN)

    assert first == at("2025-03-30 09:00", BERLIN)
    assert second - first == 24 * HOUR
    assert first - at("2025-03-29 09:00", BERLIN) == 23 * HOUR


def test_an_hour_that_the_clocks_skip_fires_when_it_is_over():
    assert next_firing("30 2 * * *", at("2025-03-29 12:00", BERLIN), BERLIN) == at("2025-03-30 01:00")


def test_an_hour_that_comes_twice_fires_once():
    first = next_firing("30 2 * * *", at("2025-10-25 12:00", BERLIN), BERLIN)

    assert first == at("2025-10-26 00:30")
    assert next_firing("30 2 * * *", first, BERLIN) == at("2025-10-27 01:30")


def test_the_local_time_of_the_machine_follows_its_changes_of_clock():
    code = (
        "from datetime import datetime, UTC; from agent.schedules import next_firing;"
        "noon = int(datetime(2025, 3, 29, 12, tzinfo=UTC).timestamp() * 1000);"
        "first = next_firing('0 9 * * *', noon); second = next_firing('30 2 * * *', noon);"
        "print(*(datetime.fromtimestamp(m / 1000, UTC).isoformat() for m in (first, second)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"},
    )

    assert done.stdout.split() == ["2025-03-30T07:00:00+00:00", "2025-03-30T01:00:00+00:00"]


@pytest.mark.parametrize(
    ("cron", "says"),
    [
        ("", "0 fields"),
        ("soon", "1 fields"),
        ("* * * * * *", "6 fields"),
        ("61 * * * *", "bad minute"),
        ("* 25 * * *", "bad hour"),
        ("* * * * FOO", "bad day-of-week"),
        ("*/0 * * * *", "bad minute"),
        ("0 0 31 2 *", "bad day-of-month"),
        ("0 0 */31 * MON#2", "names no day"),
        ("9" * 5000 + " * * * *", "at most 200"),
    ],
)
def test_a_cron_text_that_means_nothing_is_refused_with_an_example(cron: str, says: str):
    with pytest.raises(ScheduleError, match=says) as refused:
        next_firing(cron, 0, UTC)

    assert "0 9 * * 1-5" in str(refused.value)


@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(st.text("0123456789*/,-#LWMONSU ", min_size=1, max_size=5), min_size=5, max_size=5).map(
            " ".join
        ),
    ),
    st.integers(0, 4_000_000_000_000),
)
def test_any_text_gives_a_later_moment_or_a_refusal(cron: str, after: int):
    try:
        moment = next_firing(cron, after, UTC)
    except ScheduleError:
        return

    assert moment > after
    assert moment % 60_000 == 0


def test_a_schedule_missed_many_times_is_due_once():
    daily = schedule("0 9 * * *", "2025-01-01 10:00")
    later = at("2025-01-20 12:00")

    assert due([daily], later, UTC) == (daily,)
    assert due([schedule("0 9 * * *", "2025-01-01 10:00", fired_at=later)], later, UTC) == ()


@pytest.mark.parametrize(
    "idle",
    [
        schedule("0 9 * * *", "2025-01-01 10:00", enabled=0),
        schedule("0 9 * * *", "2025-01-20 11:59"),
        schedule("nonsense", "2025-01-01 10:00"),
    ],
)
def test_a_schedule_that_is_off_or_early_or_unreadable_is_not_due(idle: Schedule):
    assert due([idle], at("2025-01-20 12:00"), UTC) == ()


def test_a_clock_that_was_set_back_does_not_put_a_schedule_to_sleep():
    ahead = schedule("0 9 * * *", "2025-01-01 10:00", fired_at=at("2030-01-01 00:00"))

    assert upcoming(ahead, at("2025-01-20 12:00"), UTC) == at("2025-01-21 09:00")


async def test_a_session_adds_switches_and_removes_its_schedules(store: Store, session: Session):
    service = ScheduleService(store, session.id, UTC)

    added = await service.add(" 0  9 * * * ", " look at the build ")

    assert (added.cron, added.prompt, added.enabled) == ("0 9 * * *", "look at the build", 1)
    assert await service.list() == (added,)
    assert (await service.enable(added.id, enabled=False)).enabled == 0
    assert (await service.enable(added.id)).enabled == 1
    await service.remove(added.id)
    assert await service.list() == ()


async def test_a_schedule_of_another_session_is_out_of_reach(store: Store, session: Session):
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    mine, theirs = ScheduleService(store, session.id, UTC), ScheduleService(store, other.id, UTC)
    added = await theirs.add("@daily", "hello")

    with pytest.raises(ScheduleError, match="there is none"):
        await mine.remove(added.id)
    with pytest.raises(ScheduleError, match=f"no schedule {added.id}"):
        await mine.enable(added.id, enabled=False)
    assert await theirs.list() == (added,)


async def test_nothing_is_stored_of_a_schedule_that_is_refused(store: Store, session: Session):
    service = ScheduleService(store, session.id, UTC)

    with pytest.raises(ScheduleError):
        await service.add("whenever", "hello")
    with pytest.raises(ScheduleError, match="no words"):
        await service.add("@daily", "  ")

    assert await service.list() == ()


async def test_a_due_schedule_is_handed_out_once_and_then_waits_for_its_next_time(
    store: Store, session: Session
):
    service, second = ScheduleService(store, session.id, UTC), ScheduleService(store, session.id, UTC)
    added = await service.add("0 9 * * *", "hello")
    due_at = next_firing(added.cron, added.created_at, UTC)
    assert await service.next(due_at) == due_at

    assert await service.fire(due_at - 1) == ()
    assert await service.fire(due_at + 5 * 24 * HOUR) == (added,)
    assert await second.fire(due_at + 5 * 24 * HOUR) == ()
    assert await service.next(due_at + 5 * 24 * HOUR) == due_at + 6 * 24 * HOUR


async def test_what_was_missed_while_a_schedule_was_off_is_not_made_up_for(store: Store, session: Session):
    service = ScheduleService(store, session.id, UTC)
    added = await service.add("0 9 * * *", "hello")
    await service.enable(added.id, enabled=False)

    again = await service.enable(added.id)

    assert again.fired_at is not None
    assert await service.fire(again.fired_at) == ()
