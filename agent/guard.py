"""Notices a model that goes round in circles."""

from __future__ import annotations

from collections import deque


class RepeatGuard:
    """Trips on the same call three times in a row, and on two calls that alternate twice."""

    def __init__(self) -> None:
        self._recent: deque[tuple[str, str]] = deque(maxlen=4)

    def trips(self, name: str, arguments: str) -> bool:
        self._recent.append((name, arguments))
        recent = list(self._recent)
        thrice = len(recent) >= 3 and len(set(recent[-3:])) == 1
        to_and_fro = len(recent) == 4 and recent[0] == recent[2] and recent[1] == recent[3]
        return thrice or to_and_fro

    def reset(self) -> None:
        self._recent.clear()
