"""A kill in the middle of a write leaves the old file or the new one, never a piece of either."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agent.tools.local import LocalWorkspace
from agent.tools.tool import Change

NAME = "file edits"
MODULE = "tests.reliability.edits"
KILLS = 100
SIZE = 300_000
MODE = 0o640


def run(scale: float, seed: int) -> str:
    chosen = random.Random(seed)
    kills = max(3, round(KILLS * scale))
    seen = dict.fromkeys(b"ab", 0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(b"a" * SIZE)
        path.chmod(MODE)
        for _ in range(kills):
            seen[_kill(path, chosen.uniform(0, 0.02))] += 1
    return f"{kills} kills in a write: {seen[97]} old, {seen[98]} new, 0 torn, mode kept"


def _kill(path: Path, pause: float) -> int:
    writer = subprocess.Popen([sys.executable, "-m", MODULE, str(path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    with writer.stdout:
        assert writer.stdout.read(1) == b"."
        time.sleep(pause)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    data = path.read_bytes()
    assert len(data) == SIZE, f"the file was cut to {len(data)} bytes"
    assert len(set(data)) == 1, "the file holds both contents"
    assert path.stat().st_mode & 0o777 == MODE, "the mode was lost"
    return data[0]


async def _write(path: Path) -> None:
    workspace = LocalWorkspace(path.parent, path.parent / "logs", {})
    before = await workspace.read(path)
    other = b"b" if before.startswith(b"a") else b"a"
    contents = [before, other * SIZE]
    print(".", end="", flush=True)
    while True:
        await workspace.apply([Change(path, *contents)])
        contents.reverse()


if __name__ == "__main__":
    asyncio.run(_write(Path(sys.argv[1])))
