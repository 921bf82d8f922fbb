"""A line being typed: what keys and pastes make of it, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from rich.cells import split_graphemes

from store.frozen import frozen


@frozen
class Typed:
    """What stands before the cursor and what behind it."""

    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        return self.before + self.after

    @property
    def under(self) -> int:
        """How much of what is behind the cursor is one letter."""
        return _first(self.after)

    def insert(self, text: str) -> Typed:
        """What is pasted becomes one line of letters."""
        plain = " ".join(text.splitlines()).replace("\t", " ")
        return Typed(self.before + "".join(filter(str.isprintable, plain)), self.after)

    def press(self, key: str, character: str | None) -> Typed | None:
        """None for a key that means nothing in a line of text."""
        if key in _KEYS:
            return _KEYS[key](self.before, self.after)
        return self.insert(character) if character and character.isprintable() else None


def _left(before: str, after: str) -> Typed:
    at = _last(before)
    return Typed(before[:at], before[at:] + after)


def _right(before: str, after: str) -> Typed:
    at = _first(after)
    return Typed(before + after[:at], after[at:])


def _word_left(before: str, after: str) -> Typed:
    at = _word(before)
    return Typed(before[:at], before[at:] + after)


def _word_right(before: str, after: str) -> Typed:
    at = len(after) - _word(after[::-1])
    return Typed(before + after[:at], after[at:])


def _home(before: str, after: str) -> Typed:
    return Typed("", before + after)


def _end(before: str, after: str) -> Typed:
    return Typed(before + after)


def _backspace(before: str, after: str) -> Typed:
    return Typed(before[: _last(before)], after)


def _delete(before: str, after: str) -> Typed:
    return Typed(before, after[_first(after) :])


def _delete_word(before: str, after: str) -> Typed:
    return Typed(before[: _word(before)], after)


def _delete_before(before: str, after: str) -> Typed:
    del before
    return Typed("", after)


def _delete_after(before: str, after: str) -> Typed:
    del after
    return Typed(before)


_KEYS: dict[str, Callable[[str, str], Typed]] = {
    "left": _left,
    "right": _right,
    "ctrl+left": _word_left,
    "alt+left": _word_left,
    "ctrl+right": _word_right,
    "alt+right": _word_right,
    "home": _home,
    "ctrl+a": _home,
    "end": _end,
    "ctrl+e": _end,
    "backspace": _backspace,
    "ctrl+h": _backspace,
    "delete": _delete,
    "ctrl+w": _delete_word,
    "alt+backspace": _delete_word,
    "ctrl+u": _delete_before,
    "ctrl+k": _delete_after,
}


def _last(text: str) -> int:
    """Where the last letter begins, with whatever is stacked on it."""
    spans = split_graphemes(text)[0]
    return spans[-1][0] if spans else 0


def _first(text: str) -> int:
    """Where the first letter ends."""
    spans = split_graphemes(text)[0]
    return spans[0][1] if spans else 0


def _word(text: str) -> int:
    """Where the last word begins."""
    bare = text.rstrip()
    return len(bare) - sum(1 for _ in takewhile(lambda sign: not sign.isspace(), reversed(bare)))
