"""Tells a paste from typing where the terminal does not: its keys come faster than fingers can press them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

# Seconds between two keys of a paste; a busy moment of ours may come in between.
_GAP = 0.012

# Letters that come in one read with line ends among them, of which nobody types so many at once.
_MANY = 32
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

Verdict = Literal["key", "held", "ended"]


def is_poured(text: str) -> bool:
    """Whether what was read in one go is a paste as a whole, or the beginning of one."""
    lines = text.rstrip("\r\n")
    return len(text) >= _MANY and ("\r" in lines or "\n" in lines) and not _CONTROLS.search(text)


class Pour:
    """A line end is held until it is known what follows: more of a fast row, or nothing."""

    def __init__(self, more: Callable[[], bool] = lambda: False) -> None:
        """`more` says whether keys have come that were not pressed here yet."""
        self.more = more
        self._last = float("-inf")
        self._row: list[str] = []
        self._held: list[str] = []

    @property
    def held(self) -> bool:
        return bool(self._held)

    def press(self, key: str, character: str | None, moment: float) -> Verdict:
        """`ended`: what was held must be taken with `end` before this key is looked at."""
        fast = moment - self._last < _GAP
        self._last = moment
        text = "\n" if key in ("enter", "ctrl+j") else "\t" if key == "tab" else character
        plain = text is not None and (text in "\n\t" or text.isprintable())
        if self._held:
            if not (fast and plain and text is not None):
                return "ended"
            self._held.append(text)
            return "held"
        if not fast or not plain:
            self._row = []
        if key == "enter":
            self._held.append("\n")
            return "held"
        if plain and text is not None:
            self._row.append(text)
        return "key"

    def end(self) -> tuple[str, str]:
        """What of the row went into the prompt already, and what was held behind it."""
        before, held = "".join(self._row), "".join(self._held)
        self._row, self._held = [], []
        return before, held

    @property
    def patience(self) -> float:
        """How long a line end waits for more: a long row is hardly typed, and may come in several pieces.

        One by itself is most likely the key, whose effect must not be seen to wait.
        """
        if not self._row and len(self._held) == 1:
            return 0.03
        return 0.2 if len(self._row) + len(self._held) > 30 else 0.05
