"""From the start of a program to the echo of a key that was typed at that very moment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.bare import COMMAND as BARE
from bench.charts import FLOOR
from bench.processes import WAKEFUL
from bench.program import Program
from bench.row import Row

KEY = "ж"
PAIRS = 11


@dataclass(frozen=True, slots=True)
class Start:
    seconds: float
    cpu: float


def start(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> Start:
    with Program(command, environment, folder, early=KEY) as program:
        echoed = program.wait_for(KEY)
        return Start(echoed - program.started, program.cpu)


def compared(budget: float, *, instant: bool, longest: float = inf, pairs: int = PAIRS) -> Row:
    """Wakeful and the bare app in turn, the first pair only warms the caches; `longest` is in seconds."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        environment = surroundings(home) | ({} if instant else {"WAKEFUL_INSTANT": "0"})
        measured = [
            (start([WAKEFUL], environment, home), start(BARE, os.environ, Path.cwd()))
            for _ in range(pairs + 1)
        ][1:]
    ours, floors = [one for one, _ in measured], [other for _, other in measured]
    ratios = sorted(one.seconds / other.seconds for one, other in measured)
    return Row(
        value=median(one.seconds for one in ours) / median(other.seconds for other in floors),
        unit="x",
        budget=budget,
        spread=(ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]),
        detail=f"{_words(ours)} against {_words(floors)}, {pairs} pairs",
        holds=median(one.seconds for one in ours) <= longest,
        bars={
            "instant prompt" if instant else "plain start": median(each.seconds for each in ours) * 1000,
            FLOOR: median(each.seconds for each in floors) * 1000,
        },
    )


def surroundings(home: Path) -> dict[str, str]:
    """Nothing of the user's own settings; not the very first start either."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "WAKEFUL_HOME": str(home / "wakeful"),
        "WAKEFUL_MODEL_DEFAULT": "offline",
    }


def _words(starts: Sequence[Start]) -> str:
    wall = [each.seconds * 1000 for each in starts]
    return f"{min(wall):.0f} / {median(wall):.0f} ms ({median(each.cpu for each in starts) * 1000:.0f} CPU)"
