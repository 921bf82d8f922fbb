"""Everything of Textual that is not public and that the app needs, in one place."""

from __future__ import annotations

from textual.app import App
from textual.driver import Driver


def write_to_terminal(app: App[int], sequence: str) -> None:
    """A sequence of our own that Textual has no name for; nothing where no terminal is."""
    driver: Driver | None = app._driver  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    if driver is not None and not app.is_headless:
        driver.write(sequence)
        driver.flush()
