"""Start and leave in every way: the process ends soon after its work, and no thread is left in it."""

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from store import todos, workspaces
from store.database import Store, open_store
from store.errors import StoreError
from store.schema import prepare
from tests.store.drafts import todo

NAME = "exit"
MODULE = "tests.reliability.exits"
LIMIT = 2.0
WAYS = (
    "return",
    "exception",
    "refused",
    "cancelled",
    "busy",
    "INT",
    "TERM",
    "below a file",
    "newer",
    "damaged",
)
COMMANDS = (["doctor"], ["config"], ["--version"], ["--help"], ["doctor", "--json"], ["no such door"])
ONCE = len(WAYS) + len(COMMANDS)


def run(scale: float, seed: int) -> str:
    starts = max(ONCE, round(100 * scale))
    slowest = slowest_end(starts, random.Random(seed))
    assert slowest <= LIMIT, f"a process needed {slowest:.2f} s to end"
    return (
        f"{starts} starts, {len(WAYS)} ways out and {len(COMMANDS)} commands,"
        f" slowest end {slowest:.2f} s, 0 threads left"
    )


def slowest_end(starts: int, rng: random.Random) -> float:
    slowest = 0.0
    for number in range(starts):
        turn = number % ONCE
        with tempfile.TemporaryDirectory() as folder:
            if turn < len(WAYS):
                slowest = max(slowest, _leave(Path(folder), WAYS[turn], rng))
            else:
                _command(Path(folder), COMMANDS[turn - len(WAYS)])
    return slowest


def _command(home: Path, words: list[str]) -> None:
    command = [sys.executable, "-c", "from tui.cli import main; raise SystemExit(main())", *words]
    done = subprocess.run(
        command,
        env={"WAKEFUL_HOME": str(home), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr


def _leave(folder: Path, way: str, rng: random.Random) -> float:
    """Seconds between the word that the work is over, or the signal, and the end."""
    path = _home(folder, way)
    command = [sys.executable, "-m", MODULE, str(path), way]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "leaving\n", f"{way}: nothing said"
        started = time.monotonic()
        if way in ("INT", "TERM"):
            time.sleep(rng.uniform(0, 0.05))
            started = time.monotonic()
            child.send_signal(getattr(signal, f"SIG{way}"))
        rest = child.stdout.read()
        child.wait()
        spent = time.monotonic() - started
    if way != "TERM":
        assert rest == "threads 1\n", f"{way}: {rest!r}"
    return spent


def _home(folder: Path, way: str) -> Path:
    path = folder / "wakeful.db"
    if way == "below a file":
        path.touch()
        return path / "home" / "wakeful.db"
    prepare(path)
    if way == "newer":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 10000")
    if way == "damaged":
        path.write_bytes(b"not a database" * 100)
    return path


async def _work(path: Path, way: str) -> None:
    async with open_store(path) as store:
        await store.write(workspaces.ensure, "/project")
        match way:
            case "exception":
                print("leaving", flush=True)
                raise LookupError
            case "refused":
                await store.write(todos.add, todo(""))
            case "cancelled":
                async with asyncio.timeout(0.01):
                    await asyncio.Event().wait()
            case "busy" | "INT" | "TERM":
                await _keep_writing(store, way)
            case _:
                pass
        print("leaving", flush=True)


async def _keep_writing(store: Store, way: str) -> None:
    """Leaves in the middle of writes: by an error of one of them, or by a signal."""
    print("leaving", flush=True)
    async with asyncio.TaskGroup() as group:
        for number in range(10_000):
            group.create_task(store.write(workspaces.ensure, f"/{number}"))
        if way == "busy":
            raise LookupError


def main(path: Path, way: str) -> None:
    # A shell starts background jobs deaf to it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        asyncio.run(_work(path, way))
    except (LookupError, StoreError, TimeoutError, KeyboardInterrupt, ExceptionGroup):
        if way in ("refused", "cancelled", "below a file", "newer"):
            print("leaving", flush=True)
    # A thread that has answered may still be on its last lines.
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(LIMIT)
    print("threads", threading.active_count(), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
