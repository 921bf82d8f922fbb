"""The status line: where it works, what it may do, what it runs on and what that has cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tui.oneline import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut, spread

if TYPE_CHECKING:
    from tui.status import Status

_MODES = {"plan": "accent", "accept-edits": "waiting", "auto": "error"}


class Place(NamedTuple):
    """What changes seldom: folder, branch, mode, budget."""

    folder: str = ""
    branch: str = ""
    mode: str = ""
    budget: float | None = None


class Footer(Drawn):
    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="footer")
        self._status: Status | None = None
        self._place = Place()

    def show(self, status: Status, place: Place) -> None:
        if (status, place) != (self._status, self._place):
            self._status, self._place = status, place
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        status, place, ink = self._status, self._place, self.ink
        if status is None:
            return [[]]
        dim, text = ink.style("dim"), ink.style("text")
        dot = (" - " if ink.glyphs.ascii else " · ", dim)
        left: list[Run] = [("  ", dim), (one_line(status.agent), text)]
        left += [dot, (place.mode, ink.style(_MODES.get(place.mode, "dim")))] if place.mode else []
        left += [dot, (one_line(place.folder), dim)] if place.folder else []
        left += [(f":{one_line(place.branch)}", dim)] if place.branch else []
        figures = self._figures(status, place)
        while figures:
            right: list[Run] = []
            for words, role in figures:
                right += [dot, (words, ink.style(role))] if right else [(words, ink.style(role))]
            right.append(("  ", dim))
            if cells(left) + cells(right) < width:
                return [spread(left, right, width, ink)]
            figures.pop(0)
        return [cut(left, width, ink)]

    def _figures(self, status: Status, place: Place) -> list[tuple[str, str]]:
        """The first give way where there is no room."""
        found: list[tuple[str, str]] = []
        if status.wakes:
            found.append((f"wakes {status.wakes}/{status.max_wakes}", "dim"))
        if status.cost or place.budget is not None:
            cap = f" of {place.budget:.2f}" if place.budget is not None else ""
            near = place.budget is not None and status.cost > 0.8 * place.budget
            found.append((f"${status.cost:.2f}{cap}", "waiting" if near else "dim"))
        if status.context_share:
            full = status.context > 0.8 * status.context_limit
            found.append((f"context {status.context_share}", "waiting" if full else "dim"))
        found.append((one_line(status.model), "text"))
        return found
