"""A whole headless run of one question: start, settings, database, one streamed reply, exit."""

from __future__ import annotations

from statistics import median

from bench.processes import WAKEFUL, cpu_seconds
from bench.provider import serving
from bench.row import Row

NAME = "headless hello, direct transport"
BUDGET = 1.0
RUNS = 9


def measure() -> Row:
    with serving([{"text": "Hello! What shall we do?"}], repeat=True) as served:
        project = served.home / "project"
        project.mkdir()
        command = [WAKEFUL, "-C", str(project), "run", "-m", "openai/scripted", "hello"]
        # The first one makes the database and warms the caches.
        runs = [cpu_seconds(command, served.environment()) for _ in range(RUNS + 1)][1:]
    spent = sorted(runs)
    quarter = RUNS // 4
    return Row(
        value=median(spent),
        unit="s CPU",
        budget=BUDGET,
        spread=(spent[quarter], spent[-1 - quarter]),
        detail=f"whole process, {RUNS} runs",
    )
