"""The whole app with a reply of 24 kB over real HTTP: what it costs, and what a key waits meanwhile."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager

from bench.processes import WAKEFUL
from bench.program import Program
from bench.provider import serving
from bench.reader import CHUNKS, PIECE, REPLY

# Signs that no reply holds, so that each is the echo of its key and of nothing else.
KEYS = [chr(code) for code in range(0x410, 0x450)]
_END = "endofreply"
_BETWEEN_KEYS = 0.15


@contextmanager
def talking(seconds: float = 0.0) -> Generator[Program]:
    """The app before its first question; every reply takes that long, or as long as it must."""
    text = (PIECE * (REPLY // len(PIECE) + 1))[:REPLY]
    reply = {"text": f"{text}\n\n{_END}", "piece": -(-REPLY // CHUNKS), "pause": seconds / CHUNKS}
    with serving([reply], repeat=True) as served:
        project = served.home / "project"
        project.mkdir()
        command = [WAKEFUL, "-m", "openai/scripted"]
        with Program(command, served.environment(), project) as program:
            program.wait_for("scripted")
            program.settle()
            yield program


def cost(program: Program) -> float:
    """CPU seconds from the question to the whole reply on the screen."""
    before, seen = program.cpu, program.written
    program.type("go on\r")
    program.wait_for(_END, after=seen, seconds=120)
    program.settle()
    return program.cpu - before


def echoes(program: Program, seconds: float) -> list[float]:
    """How many milliseconds each key took to appear while the reply streams; for one question only."""
    program.type("go on\r")
    program.rest(0.5)
    deadline = time.monotonic() + seconds
    found: list[float] = []
    for key in KEYS:
        if time.monotonic() > deadline:
            break
        typed = program.type(key)
        found.append((program.wait_for(key) - typed) * 1000)
        program.rest(_BETWEEN_KEYS)
    program.wait_for(_END)
    return found
