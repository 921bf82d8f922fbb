"""Whatever is shown, hidden, resized and filled in whatever order: every part knows how wide it is."""

import os
from pathlib import Path
from random import Random

from tests.tui.app.layouts import shake
from tests.tui.app.pilots import running


async def test_every_part_is_drawn_for_the_size_it_has(tmp_path: Path):
    seed = int(os.environ.get("WAKEFUL_SEED", Random().randrange(1 << 30)))
    print(f"seed {seed}")
    async with running(tmp_path) as (app, pilot):
        await shake(app, pilot, Random(seed), 8)
