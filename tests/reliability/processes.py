"""Commands that hang, flood or ignore signals return in time; nothing outlives Wakeful, however it ends."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agent.tools.local import LocalWorkspace

NAME = "processes"
MODULE = "tests.reliability.processes"

LIMIT = 1.0
LATE = 2.0
GONE = 5.0
MEMORY = 48.0
LAG = 0.1

STUBBORN = "trap '' TERM INT HUP; echo $$ >> pids; while :; do sleep 1; done"
HANGING = {
    "sleep": "echo $$ >> pids; sleep 1e9",
    "cat": "echo $$ >> pids; cat; sleep 1e9",
    "tty reader": "echo $$ >> pids; read line < /dev/tty; sleep 1e9",
    "background": "sleep 60 & echo $! >> pids; echo x",
    "TERM ignored": STUBBORN,
    "setsid": f"setsid bash -c '{STUBBORN.replace(chr(39), chr(34))}' & sleep 1e9",
    "double fork": f"(setsid bash -c '{STUBBORN.replace(chr(39), chr(34))}' &) ; sleep 1e9",
    "stopped": "echo $$ >> pids; kill -STOP $$",
    "fork in a loop": "while :; do sleep 1e9 & echo $! >> pids; sleep 0.05; done",
}
FLOODS = {
    "yes": "yes",
    "1 GB": "head -c 1000000000 /dev/zero",
    "100 MB line": "head -c 100000000 /dev/zero | tr '\\0' a",
    "progress bars": 'while :; do printf "\\r%s" $RANDOM; done',
    "binary": "cat /dev/urandom",
}
WAYS = ("exit", "exception", "INT", "TERM", "HUP", "KILL")


def run(scale: float, seed: int) -> str:
    chosen = random.Random(seed)
    rounds = max(1, round(scale))
    late = max(_hang(command) for _ in range(rounds) for command in HANGING.values())
    floods = [_flood(command) for command in FLOODS.values()]
    late = max(late, *(flood[0] for flood in floods))
    memory = max(flood[1] for flood in floods)
    lag = max(flood[2] for flood in floods)
    assert late <= LATE, f"a command returned {late:.2f} s after its limit"
    assert memory <= MEMORY, f"a flood took {memory:.1f} MiB"
    assert lag <= LAG, f"the event loop was late by {lag * 1000:.0f} ms in a flood"
    gone = max(orphans(way, chosen.uniform(0, 0.2)) for way in WAYS * rounds)
    assert gone <= GONE, f"a child lived {gone:.2f} s after its parent"
    return (
        f"{len(HANGING)} hanging and {len(FLOODS)} flooding commands returned at most {late:.2f} s late, "
        f"+{memory:.1f} MiB, loop lag p95 {lag * 1000:.0f} ms; {len(WAYS)} ways to end left 0 children "
        f"after {gone:.2f} s"
    )


def _hang(command: str) -> float:
    """Seconds beyond the limit until it returned; nothing it started may be left by then."""
    with tempfile.TemporaryDirectory() as folder:
        late = asyncio.run(_timed(Path(folder), command))
        left = [pid for pid in _pids(Path(folder)) if alive(pid)]
        assert not left, f"{command!r} left {left}"
    return late


async def _timed(folder: Path, command: str) -> float:
    workspace = LocalWorkspace(folder, folder / "logs", {"PATH": os.environ["PATH"]})
    started = time.monotonic()
    await workspace.run(command, timeout=LIMIT)
    return time.monotonic() - started - LIMIT


def _flood(command: str) -> tuple[float, float, float]:
    """In a process of its own, whose peak memory is the flood's; seconds late, MiB taken, seconds of lag."""
    done = subprocess.run(
        [sys.executable, "-m", MODULE, "flood", command], capture_output=True, text=True, check=True
    )
    late, memory, lag = map(float, done.stdout.split())
    return late, memory, lag


async def _flooded(command: str) -> None:
    lags: list[float] = []

    async def tick() -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.005)
            lags.append(time.monotonic() - before - 0.005)

    with tempfile.TemporaryDirectory() as folder:
        await _timed(Path(folder), "true")
        before = _peak()
        ticking = asyncio.ensure_future(tick())
        late = await _timed(Path(folder), command)
        ticking.cancel()
    print(late, _peak() - before, sorted(lags)[len(lags) * 95 // 100])


def _peak() -> float:
    """MiB; the peak that getrusage gives may be that of the process this one was started by."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024


def orphans(way: str, pause: float, *, patience: float = GONE) -> float:
    """Seconds until nothing is left of a process that ends this way in the middle of commands and jobs."""
    with tempfile.TemporaryDirectory() as folder:
        victim = subprocess.Popen(
            [sys.executable, "-m", MODULE, "victim", folder, way], stderr=subprocess.DEVNULL
        )
        pids = _wait_for(Path(folder))
        time.sleep(pause)
        if way not in ("exit", "exception"):
            victim.send_signal(getattr(signal, f"SIG{way}"))
        victim.wait()
        ended = time.monotonic()
        while any(map(alive, pids)):
            if time.monotonic() - ended > patience:
                for pid in filter(alive, pids):
                    os.kill(pid, signal.SIGKILL)
                raise AssertionError(f"children were left {patience} s after {way}")
            time.sleep(0.01)
        return time.monotonic() - ended


async def _victim(folder: Path, way: str) -> None:
    workspace = LocalWorkspace(folder, folder / "logs", {"PATH": os.environ["PATH"]})
    await workspace.jobs.start(HANGING["setsid"])
    await workspace.jobs.start(STUBBORN)
    await workspace.jobs.start(HANGING["double fork"])
    running = [
        asyncio.ensure_future(workspace.run(command, timeout=600))
        for command in (STUBBORN, HANGING["sleep"], HANGING["setsid"])
    ]
    await asyncio.to_thread(_wait_for, folder)
    if way == "exit":
        sys.exit(0)
    if way == "exception":
        raise RuntimeError(way)
    await asyncio.wait(running)


def _wait_for(folder: Path) -> list[int]:
    """All of a victim's commands are up."""
    deadline = time.monotonic() + 30
    while len(_pids(folder)) < 6:
        assert time.monotonic() < deadline, "the commands did not start"
        time.sleep(0.01)
    return _pids(folder)


def _pids(folder: Path) -> list[int]:
    try:
        return [int(line) for line in (folder / "pids").read_text().split()]
    except FileNotFoundError:
        return []


def alive(pid: int) -> bool:
    """One that only waits to be collected by init is gone."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["flood", command]:
            asyncio.run(_flooded(command))
        case ["victim", folder, way]:
            # nohup and shells that start jobs in the background make them deaf to these.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            asyncio.run(_victim(Path(folder), way))
        case _:
            print(run(1.0, 1))
