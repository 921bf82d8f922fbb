"""Divide the screen anew at random: every part is drawn for the size it has.

One round takes 8 s of processor time, too long for the short runs of `tests/test_reliability.py`;
`tests/tui/app/test_layouts.py` makes fewer changes instead.
"""

import asyncio
import tempfile
from pathlib import Path
from random import Random

from tests.tui.app.layouts import shake
from tests.tui.app.pilots import running

NAME = "parts of the screen and their sizes"
STEPS = 50


def run(scale: float, seed: int) -> str:
    rounds = max(1, round(20 * scale))
    for number in range(rounds):
        asyncio.run(_round(Random(f"{seed} {number}")))
    return f"{rounds * STEPS} random changes of toggles, windows, plans and jobs, 0 parts of another size"


async def _round(random: Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder)) as (app, pilot):
            await shake(app, pilot, random, STEPS)
