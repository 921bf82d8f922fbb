"""The three lines above the plan: how far it is, and what it is narrowed to."""

from __future__ import annotations

from collections.abc import Sequence

from store.frozen import frozen
from store.records import Progress
from tui.plan.drawing import typed_runs, words
from tui.plan.editor import Typed
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells, fold
from tui.widgets.drawn import Drawn, cut, spread

_NOTHING = Progress(0, 0)


@frozen
class State:
    """`typed` is the filter while it is being written; `found` counts what it lets through."""

    progress: Progress = _NOTHING
    focused: bool = False
    filter: str = ""
    typed: Typed | None = None
    found: int = 0


class Heading(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-heading")
        self._state = State()

    def show(self, state: State) -> None:
        if state != self._state:
            self._state = state
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        return heading(self._state, width, self.ink)


def heading(state: State, width: int, ink: Ink) -> list[list[Run]]:
    progress = state.progress
    title: list[Run] = [(" Plan", ink.style("accent" if state.focused else "heading", "panel", "bold"))]
    count = f"{progress.completed}/{progress.total} " if progress.total else ""
    return [
        spread(title, [(count, ink.style("dim", "panel"))], width, ink, "panel"),
        bar(progress, width, ink),
        _filter(state, width, ink),
    ]


def bar(progress: Progress, width: int, ink: Ink) -> list[Run]:
    """` ━━━━━━━━╸─────── 60 %`; nothing where there is nothing to measure."""
    if not progress.total:
        return []
    share = progress.completed / progress.total
    # What is not all done is never called so.
    nearest = min(round(100 * share), 99 + (share == 1))
    percent = f" {nearest:>3} % "
    room = width - len(percent) - 1
    if room < 4:
        return cut([(percent, ink.style("dim", "panel"))], width, ink)
    done, half = divmod(int(2 * room * share), 2)
    full, part, rest = ("#", "", "-") if ink.glyphs.ascii else ("━", "╸" * half, "─")
    return [
        (" ", ink.style("text", "panel")),
        (full * done + part, ink.style("ok", "panel")),
        (rest * (room - done - len(part)), ink.style("rule", "panel")),
        (percent, ink.style("dim", "panel")),
    ]


def _filter(state: State, width: int, ink: Ink) -> list[Run]:
    if state.typed is None and not state.filter:
        return []
    dim, text = ink.style("dim", "panel"), ink.style("text", "panel")
    left: list[Run] = [(" /", ink.style("accent", "panel", "bold"))]
    if state.typed is None:
        left.append((words(state.filter, ink), text))
    else:
        left += typed_runs(state.typed, ink, "panel")
    found: list[Run] = [(f" {state.found} found ", dim)]
    if cells(left) + cells(found) <= width:
        return spread(left, found, width, ink, "panel")
    # Of a long line what is being typed stays in sight.
    return fold(left, width)[-1].runs
