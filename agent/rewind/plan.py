"""Decides, from what was noted and what is there, which files go back and which are somebody else's now."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Literal

from store.frozen import frozen
from store.records import FileState, FileStep

Verdict = Literal["same", "restore", "foreign", "lost"]
"""`same`: nothing to do. `foreign`: someone else changed it. `lost`: its old content is not kept."""


@frozen
class Journey:
    """One file over many steps: where it came from, and what it should be now.

    `ours` are the states that the last step can have left, since a kill may have come before it. `whole` says
    that each step began where the one before had ended.
    """

    path: Path
    start: FileState
    ours: tuple[FileState, FileState]
    whole: bool

    def verdict(self, actual: FileState, *, kept: bool) -> Verdict:
        if self.start.matches(actual):
            return "same"
        if not self.whole or not any(state.matches(actual) for state in self.ours):
            return "foreign"
        return "restore" if kept else "lost"


@frozen
class Finding:
    journey: Journey
    actual: FileState
    verdict: Verdict

    @property
    def path(self) -> Path:
        return self.journey.path

    @property
    def is_folder(self) -> bool:
        """Before and after a folder or nothing, which says little to anyone."""
        return not {self.actual.kind, self.journey.start.kind} - {"folder", "absent"}


def journeys(steps: Iterable[FileStep]) -> tuple[Journey, ...]:
    """Of every file that the steps touch, in the order of their paths."""
    by_path: dict[str, list[FileStep]] = {}
    for step in steps:
        by_path.setdefault(step.path, []).append(step)
    return tuple(_journey(path, found) for path, found in sorted(by_path.items()))


def _journey(path: str, steps: list[FileStep]) -> Journey:
    last = steps[-1]
    whole = all(
        after.before.matches(before.after) or after.before.matches(before.before)
        for before, after in pairwise(steps)
    )
    return Journey(Path(path), steps[0].before, (last.after, last.before), whole)
