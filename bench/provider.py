"""A scripted model server in a process of its own, so that its CPU is not counted as ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


@dataclass
class Served:
    """`requests` is filled once the server has ended."""

    url: str
    home: Path
    requests: list[dict[str, Any]]

    def environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "WAKEFUL_HOME": str(self.home / "wakeful"),
            "OPENAI_BASE_URL": self.url,
            "OPENAI_API_KEY": "bench",
        }


@contextmanager
def serving(replies: list[dict[str, Any]], *, repeat: bool = False) -> Generator[Served]:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        script, log = home / "script.json", home / "log.jsonl"
        script.write_text(json.dumps({"replies": replies, "repeat": repeat}))
        command = [sys.executable, "-m", "tests.provider", str(script), "--log", str(log)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            served = Served(f"http://127.0.0.1:{int(server.stdout.readline())}/v1", home, [])
            yield served
            server.stdin.close()
        served.requests += [json.loads(line) for line in log.read_text().splitlines()]
