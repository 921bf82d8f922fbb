"""A disk that fails, fills up or cannot be used: one clear line, nothing torn, and it goes on afterwards."""

import asyncio
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from store import todos
from store.database import open_store
from store.errors import StoreError
from store.schema import prepare
from tests.programs import absence
from tests.reliability.kills import lost
from tests.store.drafts import todo

NAME = "disk faults"
MODULE = "tests.reliability.disk"
WRITES = 12
CALLS = "pwrite64,fsync,fdatasync,ftruncate"
SMALL = 1_000_000


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    points = max(4, round(200 * scale))
    figures = [_faults(points, rng), _full(), _below_a_file()]
    return "; ".join(figures)


def _faults(points: int, rng: random.Random) -> str:
    if missing := absence("strace"):
        return f"no I/O errors injected: {missing}"
    met = acknowledged = 0
    for _ in range(points):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wakeful.db"
            # Most meet the writes; the others meet the making of the file.
            if rng.random() < 0.8:
                prepare(path)
            first, kind = rng.randrange(1, 80), rng.choice(("EIO", "ENOSPC"))
            last = first + rng.choice((0, 0, 1, 10))
            lines = _write(path, "strace", *_injecting(kind, first, last))
            faults = [line for line in lines if line.startswith("fault")]
            acks = [line for line in lines if line.startswith("todos")]
            assert len(faults) + len(acks) in (1, WRITES), f"{kind} at {first}: {lines}"
            _check(path, acks, f"{kind} at {first} to {last}")
            met += bool(faults)
            acknowledged += len(acks)
    return f"{points} injected errors, {met} seen by a caller, {acknowledged} acknowledged rows, 0 lost"


def _injecting(kind: str, first: int, last: int) -> list[str]:
    when = f"{first}..{last}"
    return [
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        f"trace={CALLS}",
        "-e",
        f"inject={CALLS}:error={kind}:when={when}",
    ]


def _check(path: Path, acks: list[str], fault: str) -> None:
    """Everything acknowledged is there and the next start has nothing to mend or complain about."""
    notices = prepare(path)
    assert not [notice for notice in notices if "damaged" in notice], f"{fault}: {notices}"
    missing = lost(path, acks)
    assert not missing, f"{fault}: acknowledged rows lost: {missing}"


def _full() -> str:
    with tempfile.TemporaryDirectory() as folder:
        script = (
            f"mount -t tmpfs -o size={SMALL} none {folder} && exec {sys.executable} -m {MODULE} full {folder}"
        )
        done = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
            capture_output=True,
            text=True,
            check=False,
        )
    if "unshare:" in done.stderr or "mount:" in done.stderr:
        return f"no small disk here ({done.stderr.strip()})"
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


async def _fill_up(folder: Path) -> None:
    path = folder / "wakeful.db"
    async with open_store(path) as store:
        kept = await store.write(todos.add, todo("before"))
        ballast = folder / "ballast"
        with ballast.open("wb", buffering=0) as file:
            while _grown(file.write, b"x" * 4096):
                pass
        refusals: list[str] = []
        for number in range(20):
            try:
                await store.write(todos.add, todo(f"{number} {'x' * 180}"))
            except StoreError as error:
                refusals.append(str(error))
        ballast.unlink()
        after = await store.write(todos.add, todo("after"))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = connection.execute("SELECT count(*) FROM todos WHERE id IN (?, ?)", (kept.id, after.id))
        assert found.fetchone() == (2,)
    assert refusals, "the disk was never full"
    assert all("is full" in refusal for refusal in refusals), refusals
    print(f"full disk: {len(refusals)} writes refused with one line, then it went on")


def _grown(write: Callable[[bytes], int | None], block: bytes) -> bool:
    try:
        return bool(write(block))
    except OSError:
        return False


def _below_a_file() -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "file").touch()
        (line,) = _write(Path(folder) / "file" / "home" / "wakeful.db")
    assert "WAKEFUL_HOME" in line, line
    return "home below a file: one line"


def _write(path: Path, *wrapper: str) -> list[str]:
    command = [*wrapper, sys.executable, "-m", MODULE, "write", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


async def _writes(path: Path) -> None:
    try:
        async with open_store(path) as store:
            for number in range(WRITES):
                try:
                    item = await store.write(todos.add, todo(f"step {number}"))
                    print(f"todos {item.id}", flush=True)
                except StoreError as error:
                    print(f"fault {error}", flush=True)
    except StoreError as error:
        print(f"fault {error}", flush=True)


if __name__ == "__main__":
    work = {"write": _writes, "full": _fill_up}[sys.argv[1]]
    asyncio.run(work(Path(sys.argv[2])))
