"""The keys in the environment of Wakeful and its model host, read by another process of the same user."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
# Root may read everything, unless it gives up its capabilities; ordinary users have none.
ORDINARY = (
    "import ctypes, os, sys; [ctypes.CDLL(None).prctl(24, number, 0, 0, 0) for number in range(64)]; "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
WAIT = "import sys; print('ready', flush=True); sys.stdin.read()"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc/PID/environ")


def ordinary(*words: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", ORDINARY, *words]


def start(*words: str, home: Path | None = None) -> subprocess.Popen[str]:
    environment = {"SECRET_KEY": "sesame", "PATH": os.environ["PATH"]}
    environment |= {"WAKEFUL_HOME": str(home), "HOME": str(home)} if home else {}
    return subprocess.Popen(
        ordinary(sys.executable, *words),
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def read(pid: int) -> str:
    argv = ordinary("cat", f"/proc/{pid}/environ")
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout


def test_the_environment_of_an_ordinary_process_can_be_read() -> None:
    with start("-I", "-S", "-c", WAIT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = read(process.pid)
        process.kill()

    assert "sesame" in found


def test_an_open_session_hides_its_environment(tmp_path: Path) -> None:
    script = (
        "import asyncio, os, sys; from pathlib import Path; from agent.models.scripted import Scripted; "
        "from agent.opening import Opening, open_session; from agent.paths import Paths\n"
        "async def main():\n"
        "    opening = Opening(Paths.from_environment(os.environ), dict(os.environ), Path(sys.argv[1]),"
        " model=Scripted([]), attended=False)\n"
        "    async with open_session(opening): print('ready', flush=True); sys.stdin.read()\n"
        "asyncio.run(main())"
    )
    project = tmp_path / "project"
    project.mkdir()
    with start("-c", script, str(project), home=tmp_path / "home") as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        found = read(process.pid)
        process.kill()

    assert (ready, found) == ("ready\n", "")


def test_the_model_host_hides_its_environment() -> None:
    # Its parent is named, so that it does not end at once.
    with start("-m", "agent.models.host", str(os.getpid())) as process:
        deadline = time.monotonic() + 30
        while "sesame" in (found := read(process.pid)) and time.monotonic() < deadline:
            assert process.poll() is None
        process.kill()

    assert found == ""
