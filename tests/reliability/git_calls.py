"""Makes hostile repositories and lets git itself judge: what the policy allows there must do no harm."""

from __future__ import annotations

import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path

from tests.git_attacks import Attack, Stage, attacks, known_options, make_stage
from tests.git_attacks import run as run_attack

NAME = "hostile .git and git options"
FULL = 10_000
# Of the lines that only the repository holds back, one in so many runs all the same: attacks must have teeth.
_TRIED = 10
_LINES = 4


def run(scale: float, seed: int) -> str:
    """Raises AssertionError naming the first call that passed and still did harm."""
    count = max(1, round(FULL * scale))
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        stage = make_stage(Path(folder) / "stage")
        options = known_options()
        seeds = [chance.getrandbits(64) for _ in range(-(-count // _LINES))]
        with ThreadPoolExecutor(2) as pool:
            many = pool.map(partial(_outcomes, stage, options), seeds)
            outcomes = list(chain.from_iterable(many))
    allowed = [tried for passed, tried in outcomes if passed and tried]
    asked = [tried for passed, tried in outcomes if not passed and tried]
    bad = [tried for tried in allowed if tried.harm]
    assert not bad, f"seed {seed}: {len(bad)} allowed calls did harm, such as {_described(bad[0])}"
    harmful = sum(bool(tried.harm) for tried in asked)
    return (
        f"{len(outcomes):,} calls in {len(seeds):,} repositories, {len(allowed):,} allowed and run by git,"
        " 0 harmful;"
        f" of {len(asked):,} that were asked about and run all the same {harmful:,} did harm"
    )


def _outcomes(stage: Stage, options: dict[str, list[str]], seed: int) -> list[tuple[bool, Attack | None]]:
    chance = random.Random(seed)
    found: list[tuple[bool, Attack | None]] = []
    with tempfile.TemporaryDirectory(dir=stage.folder, ignore_cleanup_errors=True) as folder:
        for made in attacks(Path(folder), chance, stage, options, _LINES):
            allowed = made.allowed
            tried = allowed or (made.looks and chance.randrange(_TRIED) == 0)
            found.append((allowed, run_attack(made, stage) if tried else None))
    return found


def _described(bad: Attack) -> str:
    return f"{bad.line!r}, which {bad.harm} ({bad.about})"
