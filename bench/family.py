"""A process and all it started, so that they are counted and ended together."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Member:
    """`began` tells it from a later process that was given the same number."""

    number: int
    parent: int
    session: int
    began: int


def family(first: int) -> list[Member]:
    """It and all below it, also those that lost their parent and stayed on its terminal."""
    everybody = [each for path in Path("/proc").glob("[0-9]*") if (each := _member(path))]
    numbers = {first}
    while more := {
        each.number
        for each in everybody
        if each.number not in numbers and (each.parent in numbers or each.session == first)
    }:
        numbers |= more
    return [each for each in everybody if each.number in numbers]


def end(members: list[Member]) -> None:
    """Those that are still there, with what they started meanwhile."""
    for member in members:
        now = _member(Path(f"/proc/{member.number}"))
        for each in family(member.number) if now and now.began == member.began else []:
            with suppress(ProcessLookupError):
                os.kill(each.number, signal.SIGKILL)


def _member(path: Path) -> Member | None:
    try:
        fields = (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        # It ended meanwhile.
        return None
    return Member(int(path.name), int(fields[1]), int(fields[3]), int(fields[19]))
