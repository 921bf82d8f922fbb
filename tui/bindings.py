"""The keys of the app as data: which there are, how the user changed them, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.binding import Binding
from textual.dom import DOMNode

Keymap = Mapping[str, str]
"""Keys by the id of a binding, with commas between them."""

_WRITTEN = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "slash": "/",
    "question_mark": "?",
    "plus": "+",
    "minus": "-",
    "comma": ",",
    "full_stop": ".",
}


def bindings_of(kind: type[DOMNode]) -> Iterator[Binding]:
    """Those that can be changed, those of its bases included, in the order they are written down."""
    for base in reversed(kind.__mro__):
        for each in base.__dict__.get("BINDINGS", ()):
            if isinstance(each, Binding) and each.id:
                yield each


def keys_of(binding: Binding, keymap: Keymap) -> list[str]:
    keys = keymap.get(binding.id or "") or binding.key
    return [key.strip() for key in keys.split(",")]


def written(key: str) -> str:
    """As people write it: `esc`, `ctrl+t`, `?`."""
    *modifiers, last = key.split("+") if key != "+" else [key]
    return "+".join([*modifiers, _WRITTEN.get(last, last)])


def written_keys(kind: type[DOMNode], keymap: Keymap) -> dict[str, str]:
    """Of each binding the first key, by its id."""
    return {each.id: written(keys_of(each, keymap)[0]) for each in bindings_of(kind) if each.id}
