"""Times: integer milliseconds inside, ISO 8601 UTC in JSON."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


def now() -> int:
    return time.time_ns() // 1_000_000


def format_time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"


def compact_time(milliseconds: int) -> str:
    """For names of files."""
    return format_time(milliseconds).translate(str.maketrans("", "", ":-."))


def age(milliseconds: int) -> str:
    """How long ago that was, in the largest unit: `5 min`, `3 h`, `12 d`."""
    seconds = max(0, now() - milliseconds) // 1000
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def local_time(milliseconds: int) -> str:
    """For people, by their own clock; today's to the second: `14:05:09`, else `2026-11-16 14:05`."""
    moment = datetime.fromtimestamp(milliseconds // 1000).astimezone()
    today = moment.date() == datetime.now().astimezone().date()
    return moment.strftime("%H:%M:%S" if today else "%Y-%m-%d %H:%M")


def parse_time(value: int | str) -> int:
    if isinstance(value, int):
        return value
    moment = datetime.fromisoformat(value)
    return round(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1000)


class _TimeOnTheWire:
    """Read by pydantic when a caller uses it; nothing here imports it."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(
            parse_time,
            core_schema.int_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                format_time, when_used="json-unless-none"
            ),
        )


Millis = Annotated[int, _TimeOnTheWire()]


def short(milliseconds: int) -> str:
    """`42 s`, `3 min`, `2 h 5 min`, `3 d`: as much as one needs at a glance."""
    seconds = max(0, milliseconds) // 1000
    if seconds < 60:
        return f"{seconds} s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if minutes < 60:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if not days else f"{days} d {hours % 24} h"
