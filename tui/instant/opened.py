"""The part of the app that is its start: the driver, the first frame, and what was typed before it."""

from __future__ import annotations

import asyncio
import os
import sys
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from tui.internals import driver_of

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui.instant.circumstances import Circumstances
    from tui.instant.early import Early
    from tui.instant.terminal import Terminal
    from tui.widgets.prompt import Prompt


# Seconds between the first frame and the work behind it, so that a key typed by then is shown first.
_BREATH = 0.03


class Started(App[int]):
    """Derive, say where the `prompt` is and what the frame's look comes from."""

    terminal: Terminal | None = None
    early: Early | None = None
    prompt: Prompt

    @abstractmethod
    def looks(self) -> list[Path] | None:
        """The files that say how the first frame looks; None when it is not to be shown early."""

    def get_driver_class(self) -> type[Driver]:
        if self.terminal is None:
            return super().get_driver_class()
        from tui.instant.driver import Driver

        return Driver

    @property
    def at_prompt(self) -> bool:
        return len(self.screen_stack) == 1 and self.prompt.has_focus

    @property
    def keys_waiting(self) -> bool:
        from tui.instant.driver import Driver

        driver = driver_of(self)
        return isinstance(driver, Driver) and driver.keys_waiting

    def admit_keys(self) -> None:
        """What was typed by now is part of the first frame, unless that is to be kept as it is without."""
        if self.terminal is None:
            return
        from tui.instant.driver import Driver

        driver = driver_of(self)
        if isinstance(driver, Driver) and self.early is None and self._here().known():
            driver.admit_keys()

    async def take_over(self) -> None:
        """The first frame stands: it is kept for the next start, and what was typed is typed again."""
        if self.terminal is None:
            return
        from tui.instant.driver import Driver
        from tui.instant.learning import capture, learn

        here = self._here()
        virgin = self.at_prompt and not self.prompt.text
        frame = capture(self, self.prompt) if virgin and (self.early or not here.known()) else None
        driver = driver_of(self)
        if isinstance(driver, Driver):
            await driver.take_over()
        if self.early is None:
            await asyncio.sleep(_BREATH)
        files = await asyncio.to_thread(self.looks)
        if frame or files is None:
            await asyncio.to_thread(learn, frame if files else None, here, files or [])

    def _here(self) -> Circumstances:
        from tui.instant.circumstances import Circumstances

        return Circumstances(sys.argv[1:], os.environ, self.size.width, self.size.height)
