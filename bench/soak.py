"""A long sitting in the app: what a turn costs and what is held in memory must not grow with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.processes import WAKEFUL
from bench.program import Program
from bench.row import Row

NAME = "a sitting of 1,000 turns in the app"
BUDGET = 1.2
WHY = (
    "The CPU of a turn stays flat (1.0 in a run by itself), but what is held grows by some 25 kB a turn;"
    " where it is held was not found yet."
)
TURNS = 1_000
# What is compared: so many turns around the 50th, and the last ones.
_EARLY, _WINDOW = 50, 40


def measure() -> Row:
    cpu, memory = sat(TURNS)
    early, late = _around(cpu, _EARLY), _around(cpu, TURNS - _WINDOW // 2)
    held = (_around(memory, _EARLY), _around(memory, TURNS - _WINDOW // 2))
    grown = held[1] / held[0]
    ratios = sorted(each / early for each in cpu[-_WINDOW:])
    detail = (
        f"turn {_EARLY}: {early * 1000:.0f} ms CPU, {held[0]:.1f} MiB;"
        f" turn {TURNS}: {late * 1000:.0f} ms CPU, {held[1]:.1f} MiB"
    )
    quarter = len(ratios) // 4
    return Row(max(late / early, grown), "x", BUDGET, (ratios[quarter], ratios[-1 - quarter]), detail)


def _around(figures: list[float], turn: int) -> float:
    return median(figures[turn - _WINDOW // 2 : turn + _WINDOW // 2])


def sat(turns: int) -> tuple[list[float], list[float]]:
    """CPU seconds that each turn took, and MiB held after it."""
    cpu: list[float] = []
    memory: list[float] = []
    with TemporaryDirectory() as folder, _serving() as url:
        project = Path(folder) / "project"
        project.mkdir()
        for number in range(7):
            (project / f"{number}.txt").write_text(f"line of file {number}\n" * 60)
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": folder,
            "WAKEFUL_HOME": f"{folder}/wakeful",
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": "bench",
        }
        command = [WAKEFUL, "--set", "wake.max_cycles=0", "-m", "openai/scripted"]
        with Program(command, environment, project) as program:
            program.wait_for("scripted")
            program.settle()
            for turn in range(1, turns + 1):
                before, seen = program.cpu, program.written
                program.type(f"part {turn}\r")
                program.wait_for(f"end-of-{turn}.", after=seen)
                program.rest(0.02)
                cpu.append(program.cpu - before)
                memory.append(program.memory)
    return cpu, memory


@contextmanager
def _serving() -> Generator[str]:
    command = [sys.executable, "-m", "bench.soaking"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()
