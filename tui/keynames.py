"""How a key is called: as people write it, and as it comes from a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from string import punctuation

from tui.bindings import NONE
from tui.internals import key_name

_ALIASES = {
    "control": "ctrl",
    "option": "alt",
    "esc": "escape",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "return": "enter",
    "del": "delete",
}
_MODIFIERS = frozenset(("ctrl", "alt", "shift", "super", "hyper", "meta"))
_EDITING = "escape enter tab space backspace delete insert home end pageup pagedown up down left right"
_SIGNS = frozenset(map(key_name, punctuation))
_NAMED = frozenset((*_EDITING.split(), *_SIGNS, *(f"f{number}" for number in range(1, 25)), NONE))
# What has the same code, where the terminal does not tell such keys apart.
_SAME = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
    "ctrl+space": "ctrl+@",
}


def normal(key: str) -> str:
    """As it comes: `Esc` is `escape`, `Ctrl+X` is `ctrl+x`, and `shift+k` is `K`."""
    *modifiers, last = _parts(key)
    if modifiers == ["shift"] and len(last) == 1:
        return last.upper()
    if len(last) == 1 and modifiers:
        last = last.lower()
    # The one that Textual spells with its sign.
    if len(last) == 1 and [*modifiers, last] != ["ctrl", "@"]:
        last = key_name(last)
    return "+".join([*sorted(modifiers), last])


def exists(key: str) -> bool:
    *modifiers, last = _parts(key)
    return _MODIFIERS.issuperset(modifiers) and _known(last)


def nearest(key: str) -> str:
    """One that exists and is written much like it; empty when there is none."""
    *modifiers, last = _parts(key)
    found = [_near(each, _MODIFIERS) for each in modifiers]
    found.append(last if _known(last) else _near(last, _NAMED))
    return "+".join(found) if all(found) else ""


def is_typed(key: str) -> bool:
    """Whether it writes something."""
    *modifiers, last = _parts(key)
    return {"shift"}.issuperset(modifiers) and (len(last) == 1 or last == "space" or last in _SIGNS)


def same_as(key: str) -> str:
    """The key that most terminals send for this one, when that is another."""
    return _SAME.get(key, "")


def _parts(key: str) -> list[str]:
    """Modifiers and the key itself, which may be the sign between them."""
    key = key.strip()
    *modifiers, last = [*key[:-2].split("+"), "plus"] if key.endswith("++") else key.split("+")
    if not last and modifiers == [""]:
        modifiers, last = [], "plus"
    named = last if len(last) == 1 else last.lower()
    return [*(_ALIASES.get(each.lower(), each.lower()) for each in modifiers), _ALIASES.get(named, named)]


def _known(last: str) -> bool:
    return len(last) == 1 or last in _NAMED


def _near(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, 1)), "")
