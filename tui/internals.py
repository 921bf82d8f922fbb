"""Everything of Textual that is not public and that the app needs, in one place."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from functools import partial
from typing import cast

from textual.app import App
from textual.driver import Driver
from textual.drivers import linux_driver
from textual.keys import _character_to_key  # pyright: ignore[reportPrivateUsage]
from textual.widget import Widget

from tui.prompting.internals import PasteParser


def driver_of(app: App[int]) -> Driver | None:
    return app._driver  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def write_to_terminal(app: App[int], sequence: str) -> None:
    """A sequence of our own that Textual has no name for; nothing where no terminal is."""
    driver = driver_of(app)
    # While repaints are put off, the terminal is somebody else's.
    lent = app._batch_count > 0  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if driver is not None and not app.is_headless and not lent:
        driver.write(sequence)
        driver.flush()


def take_pastes_whole() -> None:
    """Textual has no other place to say which parser its driver reads with."""
    linux_driver.XTermParser = PasteParser  # type: ignore[attr-defined]  # a name of its own module


def take_any_bytes() -> None:
    """Letters of another encoding are shown as unknown; Textual would end over them."""

    def lenient(encoding: str) -> partial[IncrementalDecoder]:
        return partial(getincrementaldecoder(encoding), "replace")

    linux_driver.getincrementaldecoder = lenient  # type: ignore[attr-defined]  # a name of its own module


def key_name(sign: str) -> str:
    """What the key of a sign is called: `slash` for `/`."""
    return _character_to_key(sign)


async def act(widget: Widget, action: str) -> bool:
    """At once, in the widget's own turn; false where the widget passes it on."""
    app = cast("App[object]", widget.app)  # pyright: ignore[reportUnknownMemberType] # of any result
    return await app.run_action(action, widget)


class Keys:
    """What the keys of a widget do, as the user's keymap has it; the keymap is applied once, not per key."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._keymap: object = None
        self._actions: dict[str, str] = {}

    def action(self, key: str) -> str | None:
        app = cast("App[object]", self._widget.app)  # pyright: ignore[reportUnknownMemberType] # of any result
        keymap = app._keymap  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        if keymap is not self._keymap:
            bindings = self._widget._bindings.copy()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            bindings.apply_keymap(keymap)
            self._keymap = keymap
            self._actions = {key: found[0].action for key, found in bindings.key_to_bindings.items() if found}
        return self._actions.get(key)
