"""The edge of the prompt: what stands behind it are the user's words, as in the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn


class Mark(Drawn):
    FILL = "input"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="mark")
        self._shell = False
        self._lit = True

    def show(self, *, shell: bool) -> None:
        """Whether it goes to the shell instead of the agent."""
        if shell != self._shell:
            self._shell = shell
            self.refresh()

    def light(self, *, lit: bool) -> None:
        """Whether keys go to the prompt."""
        if lit != self._lit:
            self._lit = lit
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        del width
        role = "dim" if not self._lit else "ok" if self._shell else "accent"
        edge = (self.ink.glyphs.bar, self.ink.style(role, "input"))
        if self.ink.glyphs.ascii:
            # Letters make no line: one before the first of what is typed is enough.
            return [[], [edge]] if self.screen.has_class("tall") else [[edge]]
        return [[edge]] * self.size.height
