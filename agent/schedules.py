"""Wakes a session at set times, written as cron and read in the local time of the machine."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, tzinfo

from agent.tools.tool import ToolError
from store import schedules as rows
from store.clock import now
from store.database import Store
from store.records import Schedule

_LONGEST = 200
_WORDS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_EXAMPLE = "write minute, hour, day, month and weekday, such as 0 9 * * 1-5, or a word such as @daily"


class ScheduleError(ToolError):
    pass


class LocalZone(tzinfo):
    """The machine's own zone with its changes of clock, which a fixed offset would miss."""

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        return None if dt is None else dt.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, dt: datetime | None) -> timedelta | None:
        del dt

    def tzname(self, dt: datetime | None) -> str | None:
        return None if dt is None else dt.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, dt: datetime) -> datetime:
        return datetime.fromtimestamp(dt.replace(tzinfo=UTC).timestamp()).replace(tzinfo=self)


LOCAL_ZONE = LocalZone()


def next_firing(cron: str, after: int, tz: tzinfo = LOCAL_ZONE) -> int:
    """The first moment later than `after` that the cron text names, in milliseconds."""
    from cronsim import CronSim, CronSimError

    # In whole seconds, as cron counts; a moment within a minute's first second is past.
    start = datetime.fromtimestamp(after // 1000, tz)
    try:
        moment = next(CronSim(_fields(cron), start))
    except CronSimError as error:
        raise ScheduleError(f"{cron!r} is no schedule ({str(error).lower()}); {_EXAMPLE}") from error
    except (StopIteration, OverflowError) as error:
        raise ScheduleError(f"{cron!r} names no day that ever comes; {_EXAMPLE}") from error
    return int(moment.timestamp()) * 1000


def due(schedules: Iterable[Schedule], moment: int, tz: tzinfo = LOCAL_ZONE) -> tuple[Schedule, ...]:
    """Those whose time has come. However many times one was missed, it is here once."""
    return tuple(
        each for each in schedules if (at := upcoming(each, moment, tz)) is not None and at <= moment
    )


def upcoming(schedule: Schedule, moment: int, tz: tzinfo = LOCAL_ZONE) -> int | None:
    """When it fires next, which may be over already; None for one that never will."""
    if not schedule.enabled:
        return None
    counted_from = schedule.created_at if schedule.fired_at is None else schedule.fired_at
    try:
        # A clock that was set back must not put a schedule to sleep until it has caught up.
        return next_firing(schedule.cron, min(counted_from, moment), tz)
    except ScheduleError:
        # A row that another version wrote must not keep the others from firing.
        return None


class ScheduleService:
    """The schedules of one session."""

    def __init__(self, store: Store, session_id: str, tz: tzinfo = LOCAL_ZONE) -> None:
        self.session_id = session_id
        self._store = store
        self._tz = tz

    async def add(self, cron: str, prompt: str, *, actor: str = "user") -> Schedule:
        cron, prompt = " ".join(cron.split()), prompt.strip()
        next_firing(cron, now(), self._tz)
        if not prompt:
            raise ScheduleError("the schedule has no words; say what the agent shall do when it fires")
        return await self._store.write(rows.add, self.session_id, cron, prompt, actor=actor)

    async def list(self) -> tuple[Schedule, ...]:
        return await self._store.read(rows.listed, self.session_id)

    async def remove(self, schedule_id: int, *, actor: str = "user") -> Schedule:
        await self._own(schedule_id)
        return await self._store.write(rows.remove, schedule_id, actor=actor)

    async def enable(self, schedule_id: int, *, enabled: bool = True, actor: str = "user") -> Schedule:
        """What was missed while it was off is not made up for."""
        await self._own(schedule_id)
        return await self._store.write(
            rows.enable, schedule_id, enabled=enabled, counted_from=now(), actor=actor
        )

    async def fire(self, moment: int | None = None) -> tuple[Schedule, ...]:
        """Those that are due, each handed to one caller only, whoever else looks at the same time."""
        moment = now() if moment is None else moment
        waiting = due(await self.list(), moment, self._tz)
        return tuple([each for each in waiting if await self._store.write(rows.fire, each, moment)])

    async def next(self, moment: int | None = None) -> int | None:
        """When to look again; None while nothing is scheduled."""
        moment = now() if moment is None else moment
        times = [upcoming(each, moment, self._tz) for each in await self.list()]
        return min((time for time in times if time is not None), default=None)

    async def _own(self, schedule_id: int) -> None:
        mine = await self.list()
        if all(each.id != schedule_id for each in mine):
            known = ", ".join(str(each.id) for each in mine)
            there = f"there are {known}" if known else "there is none in this session"
            raise ScheduleError(f"no schedule {schedule_id}; {there}")


def _fields(cron: str) -> str:
    cron = cron.strip()
    if len(cron) > _LONGEST:
        raise ScheduleError(f"a schedule has at most {_LONGEST} characters; {_EXAMPLE}")
    cron = _WORDS.get(cron.lower(), cron)
    if len(cron.split()) != 5:
        # The library also takes seconds, and an agent woken every second would run away.
        raise ScheduleError(f"{cron!r} is no schedule (it has {len(cron.split())} fields); {_EXAMPLE}")
    return cron
