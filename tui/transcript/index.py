"""Knows on which line each of very many entries starts, though their heights change all the time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


class Index:
    """Running sums of heights; only those behind the last change are added up again, when asked for."""

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        self._sum()
        return self._ends[-1] if self._ends else 0

    def height(self, number: int) -> int:
        return self._heights[number]

    def top(self, number: int) -> int:
        self._sum()
        return self._ends[number - 1] if number else 0

    def at(self, line: int) -> tuple[int, int]:
        """The entry that holds the line, and which of its lines that is."""
        self._sum()
        number = min(bisect_right(self._ends, max(0, line)), len(self._ends) - 1)
        return number, max(0, line) - self.top(number)

    def resize(self, number: int, height: int) -> None:
        if self._heights[number] != height:
            self._heights[number] = height
            del self._ends[number:]

    def insert(self, number: int, heights: Sequence[int]) -> None:
        self._heights[number:number] = heights
        del self._ends[number:]

    def remove(self, number: int) -> None:
        del self._heights[number]
        del self._ends[number:]

    def _sum(self) -> None:
        known = len(self._ends)
        if known < len(self._heights):
            start = self._ends[-1] if known else 0
            sums = accumulate(self._heights[known:], initial=start)
            next(sums)
            self._ends += sums
