"""Finds what a person may mean by a few letters, the likeliest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def rank(typed: str, candidates: Iterable[T], texts: Callable[[T], Iterable[str]]) -> list[T]:
    """Those that have the letters in order in one of their texts; equals keep the order they came in."""
    scored: list[tuple[tuple[int, int], T]] = []
    for each in candidates:
        scores = [found for text in texts(each) if (found := score(typed, text)) is not None]
        if scores:
            scored.append((min(scores), each))
    return [each for _, each in sorted(scored, key=lambda pair: pair[0])]


def score(typed: str, text: str) -> tuple[int, int] | None:
    """Smaller is nearer: the beginning, the beginning of a word, inside a word, letters here and there."""
    wanted, given = typed.casefold(), text.casefold()
    at = given.find(wanted)
    if at == 0:
        return 0, 0
    if at > 0:
        word_start = next((each for each in _places(wanted, given) if not given[each - 1].isalnum()), None)
        return (1, word_start) if word_start is not None else (2, at)
    spread = _spread(wanted, given)
    return None if spread is None else (3, spread)


def _places(wanted: str, given: str) -> Iterable[int]:
    at = given.find(wanted)
    while at >= 0:
        yield at
        at = given.find(wanted, at + 1)


def _spread(wanted: str, given: str) -> int | None:
    """How far apart the letters stand; None when one is missing."""
    at, first = -1, -1
    for letter in wanted:
        at = given.find(letter, at + 1)
        if at < 0:
            return None
        first = at if first < 0 else first
    return at - first
