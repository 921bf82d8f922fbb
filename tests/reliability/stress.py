"""Resizes down to one cell, a paste of megabytes, a flood of output: the app lives and echoes keys."""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.terminal import Terminal

NAME = "resizes, pastes and floods"
WAKEFUL = str(Path(sys.executable).with_name("wakeful"))
LIMIT = 0.100
COLUMNS, ROWS = 100, 30
_KEYS = "qjzxwvkyuf"

Strain = Callable[[Terminal, float, random.Random], None]


def run(scale: float, seed: int) -> str:
    said: list[str] = []
    for name, echoes in survived(scale, random.Random(seed)).items():
        middle = statistics.median(echoes)
        assert middle <= LIMIT, f"after {name} a key was echoed in {1000 * middle:.0f} ms"
        said.append(f"{name} {1000 * middle:.0f} ms (worst {1000 * max(echoes):.0f})")
    return f"key echo after {', '.join(said)}"


def survived(scale: float, rng: random.Random) -> dict[str, list[float]]:
    """Seconds from a key to its echo once each strain is over, or while it lasts."""
    strains: dict[str, Strain] = {"resizes": _resized, "a paste": _pasted, "a flood": _flooded}
    return {name: _strained(strain, scale, rng) for name, strain in strains.items()}


def _strained(strain: Strain, scale: float, rng: random.Random) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "WAKEFUL_HOME": f"{folder}/home",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
        }
        argv = [WAKEFUL, "-m", "offline"]
        with Terminal(argv, env=environment, cwd=Path(folder), columns=COLUMNS, rows=ROWS) as terminal:
            terminal.wait_for("dormant: nothing open", on_screen=True)
            terminal.settle(1)
            strain(terminal, scale, rng)
            terminal.drawing = False
            echoes = [_echo(terminal, _KEYS[: count + 1]) for count in range(len(_KEYS))]
            terminal.type("\x03")
            terminal.settle(0.5)
            terminal.type("\x03\x03")
            assert terminal.end() in (0, 130), terminal.captured
            return echoes


def _echo(terminal: Terminal, typed: str) -> float:
    """The last letter of what is typed, a key at a time as fingers do it."""
    terminal.settle(0.1)
    terminal.captured = b""
    started = time.monotonic()
    terminal.type(typed[-1])
    while typed.encode() not in terminal.captured:
        assert terminal.read(1), f"it has ended\n{terminal.text}"
        assert time.monotonic() - started < 60, f"{typed!r} was never echoed\n{terminal.captured!r}"
    return time.monotonic() - started


def _resized(terminal: Terminal, scale: float, rng: random.Random) -> None:
    """500 a second for 10 seconds."""
    terminal.drawing = False
    started, count = time.monotonic(), round(5_000 * scale)
    for number in range(count):
        terminal.resize(rng.choice((1, 2, rng.randint(1, 200))), rng.choice((1, 2, rng.randint(1, 60))))
        while (left := started + number / 500 - time.monotonic()) > 0:
            terminal.read(left)
    terminal.drawing = True
    terminal.resize(1, 1)
    terminal.settle(0.2)
    terminal.resize(COLUMNS, ROWS)
    terminal.wait_for("message, / commands", on_screen=True)


def _pasted(terminal: Terminal, scale: float, rng: random.Random) -> None:
    """10 MB in the terminal's own brackets."""
    line = "".join(rng.choices("0123456789 äöü", k=79)) + "\n"
    terminal.type(f"\x1b[200~{line * round(10_000_000 * scale / 80)}\x1b[201~")
    terminal.wait_for("pasted", on_screen=True)


def _flooded(terminal: Terminal, scale: float, rng: random.Random) -> None:
    """A command of the user's prints as fast as it can while keys are typed."""
    size = round(1_000_000_000 * scale)
    terminal.type(f"!yes {rng.randrange(10**9)} | head -c {size}; echo over; sleep 1000\r")
    terminal.wait_for(r"\d{5}", on_screen=True)
