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
TURNS = 1_000
# What is compared: so many turns around the 50th, and the last ones.
_EARLY, _WINDOW = 50, 40


def measure() -> Row:
    return grown(*sat(TURNS))


def grown(cpu: list[float], memory: list[float]) -> Row:
    """Whichever of both grew more, with the spread of its last turns."""
    more = max(cpu, memory, key=lambda each: _late(each) / _early(each))
    ratios = sorted(each / _early(more) for each in more[-_WINDOW:])
    detail = (
        f"turn {_EARLY}: {_early(cpu) * 1000:.0f} ms CPU, {_early(memory):.1f} MiB;"
        f" turn {len(cpu)}: {_late(cpu) * 1000:.0f} ms CPU, {_late(memory):.1f} MiB"
    )
    spread = (ratios[_WINDOW // 4], ratios[-1 - _WINDOW // 4])
    return Row(_late(more) / _early(more), "x", BUDGET, spread, detail)


def _early(figures: list[float]) -> float:
    return median(figures[_EARLY - _WINDOW // 2 : _EARLY + _WINDOW // 2])


def _late(figures: list[float]) -> float:
    return median(figures[-_WINDOW:])


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
