"""The keys of the app as data: which there are, how the user changed them, and how they are written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from string import punctuation
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode

from tui.internals import key_name

if TYPE_CHECKING:
    from agent.paths import Paths

Keymap = Mapping[str, str]
"""Keys by the id of a binding, with commas between them."""

NONE = "none"
"""The key of what shall have none; no terminal sends it."""

_UNCHANGED: Keymap = MappingProxyType({})
_WRITTEN = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    **{key_name(sign): sign for sign in punctuation},
}


class Keyed(App[int], inherit_bindings=False):
    """Has the user's keys on from the first frame, and none that no one can see or change."""

    keymap: Keymap = _UNCHANGED

    def wear_keys(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self.set_keymap({**keymap})
        if self.is_running:
            self.keys_changed()

    def key(self, name: str) -> str:
        """Of one of its own bindings."""
        return key_for(self, name)

    def keys_changed(self) -> None:
        """What the screen says of keys is old."""


def bindings_of(kind: type[DOMNode]) -> Iterator[Binding]:
    """Those that can be changed, those of its bases included, in the order they are written down."""
    for base in reversed(kind.__mro__):
        for each in base.__dict__.get("BINDINGS", ()):
            if isinstance(each, Binding) and each.id:
                yield each


def keys_of(binding: Binding, keymap: Keymap) -> list[str]:
    keys = keymap.get(binding.id or "") or binding.key
    return [key.strip() for key in keys.split(",")]


def key_for(node: DOMNode, name: str, usual: str = "") -> str:
    """The first key of a binding of this widget, screen or app, as it is now and as people write it.

    `usual` is for what has no such binding.
    """
    return written(first_key(node, name)) or usual


def first_key(node: DOMNode, name: str) -> str:
    """The same as the app calls it."""
    app = cast("object", node.app)  # pyright: ignore[reportUnknownMemberType] # of any result
    keymap = app.keymap if isinstance(app, Keyed) else _UNCHANGED
    found = next((each for each in bindings_of(type(node)) if each.id == name), None)
    return keys_of(found, keymap)[0] if found else ""


def app_key(node: DOMNode, name: str, usual: str) -> str:
    """The same for a binding of the app that the widget stands in."""
    return key_for(cast("App[int]", node.app), name, usual)  # pyright: ignore[reportUnknownMemberType] # as above


def written(key: str) -> str:
    """`esc`, `ctrl+t`, `?`."""
    *modifiers, last = key.split("+") if key != "+" else [key]
    return "+".join([*modifiers, _WRITTEN.get(last, last)])


def wished_keys(paths: Paths, assignments: Sequence[str]) -> dict[str, str]:
    """As far as it can be read without the settings, which cost more than the first frame.

    What is wrong with it is told by those who load them.
    """
    found: dict[str, object] = {}
    try:
        table = tomllib.loads(paths.config.read_text("utf-8").removeprefix("\ufeff")).get("keys")
    except (OSError, ValueError):
        table = None
    if isinstance(table, dict):
        found |= cast("dict[str, object]", table)
    for assignment in assignments:
        key, _, value = assignment.partition("=")
        area, _, name = key.strip().partition(".")
        if area == "keys":
            found[name] = value.strip().strip('"')
    keymap = {name: _joined(value) for name, value in found.items()}
    return {name: keys for name, keys in keymap.items() if keys}


def _joined(value: object) -> str:
    match value:
        case str():
            return value
        case list():
            keys = cast("list[object]", value)
            return ",".join(each for each in keys if isinstance(each, str))
        case _:
            return ""
