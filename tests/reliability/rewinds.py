"""Random edits, commands, rewinds and their undo: every file comes back byte for byte, modes included."""

import asyncio
import tempfile
from itertools import count
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from store.database import open_store
from tests.agent.rewind.sequences import Step, live, steps

NAME = "rewind"
SEQUENCES = 500


def run(scale: float, seed: int) -> str:
    sequences = max(10, round(SEQUENCES * scale))
    rewinds = asyncio.run(_run(sequences, seed))
    return f"{sequences} sequences without git, {rewinds} rewinds, every byte and mode back"


async def _run(sequences: int, number: int) -> int:
    rewinds = 0
    numbers = count()
    loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / "wakeful.db") as store:

            def play(sequence: list[Step]) -> None:
                nonlocal rewinds
                place = Path(folder) / str(next(numbers))
                rewinds += asyncio.run_coroutine_threadsafe(live(store, place, sequence), loop).result()

            judged = settings(
                max_examples=sequences,
                deadline=None,
                database=None,
                suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
                phases=(Phase.generate, Phase.shrink),
            )(seed(number)(given(steps)(play)))
            await asyncio.to_thread(judged)
    return rewinds
