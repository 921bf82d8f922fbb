"""What the open app holds while nothing happens; the process that runs litellm is not part of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.bare import COMMAND as BARE
from bench.processes import WAKEFUL
from bench.program import Program
from bench.row import Row
from bench.starting import surroundings

NAME = "idle memory of the app"
BUDGET = 1.5
RUNS = 5
WHY = (
    "Session, tools, permissions and plan are loaded behind the first frame, before anybody asks for them:"
    " some 270 modules at 11 MiB; SQLite takes 1.3 MiB, and the heaps that libc keeps for each thread 1.2."
)


def measure() -> Row:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        pairs = [
            (_held([WAKEFUL], surroundings(home), home, "offline"), _held(BARE, os.environ, Path.cwd()))
            for _ in range(RUNS)
        ]
    ours, floors = (median(each) for each in zip(*pairs, strict=True))
    ratios = sorted(one / other for one, other in pairs)
    detail = f"{ours:.1f} against {floors:.1f} MiB, {RUNS} pairs"
    return Row(ours / floors, "x", BUDGET, (ratios[1], ratios[-2]), detail)


def _held(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, ready: str = "\x1b[?1049h"
) -> float:
    with Program(command, environment, folder) as program:
        program.wait_for(ready)
        program.settle()
        program.rest(1.0)
        return program.memory
