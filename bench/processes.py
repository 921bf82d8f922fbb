"""Runs a command and counts the CPU it took, which unlike the clock does not feel its neighbours much."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

WAKEFUL = str(Path(sys.executable).with_name("wakeful"))


def cpu_seconds(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """User and system time of the process and the children it waited for; output is thrown away."""
    quiet = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1)]
    child = os.posix_spawnp(command[0], list(command), dict(environment or os.environ), file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        raise RuntimeError(f"{' '.join(command)} exited with {code}")
    return usage.ru_utime + usage.ru_stime


def interleaved(
    command: Sequence[str], floor: Sequence[str], *, pairs: int
) -> tuple[list[float], list[float]]:
    """CPU seconds of both, run in turn; the first pair only warms the caches."""
    measured = [(cpu_seconds(command), cpu_seconds(floor)) for _ in range(pairs + 1)][1:]
    return [each for each, _ in measured], [each for _, each in measured]
