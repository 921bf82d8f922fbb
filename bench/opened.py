"""The app on a session of 10,000 messages against one of none, from its start to the newest message."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.processes import WAKEFUL
from bench.program import Program
from bench.row import Row
from bench.sitting import filled
from bench.starting import surroundings

NAME = "opening 10,000 messages in the app"
BUDGET = 1.5
PAIRS = 5


def measure() -> Row:
    with TemporaryDirectory() as folder:
        homes = [Path(folder) / name for name in ("long", "empty")]
        ids = [asyncio.run(filled(home, long=home.name == "long")) for home in homes]
        pairs = [
            [_spent(home, each) for home, each in zip(homes, ids, strict=True)] for _ in range(PAIRS + 1)
        ]
    long, empty = (median(each) for each in zip(*pairs[1:], strict=True))
    ratios = sorted(one / other for one, other in pairs[1:])
    detail = f"{long * 1000:.0f} against {empty * 1000:.0f} ms CPU until at rest, {PAIRS} pairs"
    return Row(long / empty, "x", BUDGET, (ratios[1], ratios[-2]), detail)


def _spent(home: Path, session_id: str) -> float:
    with Program(
        [WAKEFUL, "-r", session_id, "-m", "offline"], surroundings(home), home / "project"
    ) as program:
        program.wait_for("offline")
        program.settle()
        return program.cpu
