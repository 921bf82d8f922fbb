"""The status line: where it works, what it may do, what it runs on and what that has cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from tui.oneline import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut, spread

if TYPE_CHECKING:
    from tui.status import Status

Words = tuple[str, str]
"""What is said, and its role."""

# What gives way where there is no room, the first first: what it costs and how full it is stay longest.
_GIVEN_UP = ("path", "provider", "wakes", "branch", "folder", "model", "agent")
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
        margin = ("  ", ink.style("dim"))
        left: list[Run] = []
        for given_up in range(len(_GIVEN_UP) + 1):
            without = frozenset(_GIVEN_UP[:given_up])
            left = [margin, *self._joined(self._circumstances(status, place, without))]
            right = [*self._joined(self._figures(status, place, without)), margin]
            if cells(left) + cells(right) + 2 <= width:
                return [spread(left, right, width, ink)]
        return [cut(left, width, ink)]

    def _joined(self, words: Sequence[Words]) -> list[Run]:
        dot = (" - " if self.ink.glyphs.ascii else " · ", self.ink.style("dim"))
        runs: list[Run] = []
        for text, role in words:
            runs += [dot, (text, self.ink.style(role))] if runs else [(text, self.ink.style(role))]
        return runs

    def _circumstances(self, status: Status, place: Place, without: frozenset[str]) -> list[Words]:
        found = [] if "agent" in without else [(one_line(status.agent), "text")]
        if place.mode:
            found.append((f"{place.mode} mode", _MODES.get(place.mode, "dim")))
        if place.folder and "folder" not in without:
            folder = PurePath(place.folder).name if "path" in without else place.folder
            branch = f":{place.branch}" if place.branch and "branch" not in without else ""
            found.append((one_line(f"{folder or place.folder}{branch}"), "dim"))
        return found

    def _figures(self, status: Status, place: Place, without: frozenset[str]) -> list[Words]:
        found: list[Words] = []
        if status.wakes and "wakes" not in without:
            found.append((f"wakes {status.wakes}/{status.max_wakes}", "dim"))
        if status.money or place.budget is not None:
            # A cap in money says nothing about tokens of an unknown price.
            capped = place.budget is not None and not status.unpriced
            cap = f" of {place.budget:.2f}" if capped else ""
            near = place.budget is not None and status.cost > 0.8 * place.budget
            found.append((f"{status.money or '$0.00'}{cap}", "waiting" if near else "dim"))
        if status.context_share:
            full = status.context > 0.8 * status.context_limit
            found.append((f"context {status.context_share}", "waiting" if full else "dim"))
        if "model" not in without:
            model = status.model.rpartition("/")[2] if "provider" in without else status.model
            found.append((one_line(model), "text"))
        return found
