"""End the app by a signal at any moment from its first byte on: the terminal is what it was before."""

import random
import signal
import tempfile
from pathlib import Path

from tests.reliability.starts import READY, Place, until

NAME = "signals during start and end"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(scale: float, seed: int) -> str:
    starts = max(3, round(200 * scale))
    ended = dict.fromkeys(("start", "end"), 0)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        place.opened_once()
        for number in range(starts):
            rng = random.Random(f"{seed} {number}")
            moment = "end" if number % 4 == 3 else "start"
            wrong = startled(place, SIGNALS[number % 3], moment, rng, instant=number % 5 != 4)
            assert wrong == [], f"seed {seed}, start {number}, {SIGNALS[number % 3].name}: {wrong}"
            ended[moment] += 1
    return f"{ended['start']} ended while starting, {ended['end']} while ending, 0 terminals left in disorder"


def startled(
    place: Place, number: signal.Signals, moment: str, rng: random.Random, *, instant: bool
) -> list[str]:
    with place.opened(instant=instant) as terminal:
        if moment == "end":
            terminal.wait_for(READY)
            terminal.kill(signal.SIGTERM)
            terminal.settle(rng.uniform(0, 0.15))
        else:
            until(terminal, b"\x1b")
            terminal.settle(rng.choice((0, rng.uniform(0, 0.1), rng.uniform(0, 1.5))))
        if terminal.read(0):
            terminal.kill(number)
        if number == signal.SIGINT:
            # A first one only interrupts, once there is something to interrupt.
            terminal.settle(0.3)
            if terminal.read(0):
                terminal.kill(signal.SIGTERM)
        terminal.end()
        return terminal.is_sane()
