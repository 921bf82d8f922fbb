"""The list of the plan as it is seen: which rows there are, where they stand, which one is selected."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import Literal

from textual.timer import Timer

from agent.todos.filters import Filter
from store.clock import now
from store.frozen import frozen
from store.records import Stretch, Todo
from tui.bindings import app_key, key_for
from tui.plan.drawing import Sight, clock, draw, height, typed_rows, worked
from tui.plan.editor import Typed
from tui.plan.lines import Lines
from tui.plan.rows import FINISHED, NEW, Folds, Group, Item, Names, Plan, Row
from tui.plan.vacancy import Ways, vacancy
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run

# From so many rows on each title has one line, so that the height of all of them is known in no time.
DENSE = 400


@frozen
class Entry:
    """What is being typed, and for which todo; `gone` was the one it was typed for."""

    kind: Literal["new", "edit", "block", "filter"]
    typed: Typed
    todo_id: int = 0
    gone: int = 0

    @property
    def row(self) -> int | None:
        """The row it stands in; a filter stands in none."""
        if self.kind == "filter":
            return None
        return NEW if self.kind == "new" else self.todo_id


class PlanList(Lines, can_focus=True):
    def __init__(self, ink: Ink, folds: Folds) -> None:
        super().__init__(ink, id="plan-list")
        self.folds = folds
        self._aside = Folds()
        self.names = Names()
        self.clock = now
        self.filter = ""
        self.entry: Entry | None = None
        self.plan = Plan()
        self.selected: int | None = None
        self._missed: int | None = None
        self.found = 0
        self._wanted: Filter | None = None
        self._todos: tuple[Todo, ...] = ()
        self._tops: Sequence[int] = [0]
        self._vacancy: list[list[Run]] = []
        self._drawn: dict[int, list[list[Run]]] = {}
        self._sight = Sight(ink, 1, 0, self.names)
        self._ticking: Timer | None = None
        self._stretch: Stretch | None = None
        self._clocks: tuple[str, ...] = ()

    def show(self, todos: tuple[Todo, ...]) -> None:
        self._todos = todos
        self.lay_out()
        self._tick_while_needed()

    def time(self, stretch: Stretch | None) -> None:
        """Whose clock runs, and since when."""
        if stretch != self._stretch:
            self._stretch = stretch
            self.measure()
            self._tick_while_needed()

    def learn(self, names: Names) -> None:
        self.names = names
        self.lay_out()

    def narrow(self, text: str, wanted: Filter | None) -> None:
        """What is looked for is not folded away; folds are as before when everything is shown again."""
        if (wanted is None) is not (self._wanted is None):
            self.folds, self._aside = self._aside, Folds() if wanted is None else self.folds
        self.filter, self._wanted = text, wanted
        self.lay_out(top=0)

    def select(self, key: int | None) -> None:
        self.selected = key
        self.redraw()
        self.show_selected()

    def wear(self, ink: Ink) -> None:
        super().wear(ink)
        self.measure()

    @property
    def item(self) -> Item | None:
        """The todo that is selected."""
        index = self.plan.place(self.selected)
        return None if index is None else self.plan.item(self.plan.rows[index])

    def hides(self, todo_id: int) -> bool:
        """Whether the filter keeps it out of sight."""
        return self._wanted is not None and self.plan.place(todo_id) is None

    def foldable(self, folding: bool) -> int | None:
        """What there is to fold or unfold: the selected row, or the group of what is finished around it."""
        item, group = self.item, self.plan.place(FINISHED)
        if self.selected == FINISHED:
            return FINISHED if self.folds.finished is not folding else None
        if item and item.parent and (item.id in self.folds.parents) is not folding:
            return item.id
        inside = item and item.level == 0 and group is not None and group < (self.plan.place(item.id) or 0)
        return FINISHED if inside and folding else None

    def row_at(self, line: int) -> Row | None:
        if not self.plan.rows or not 0 <= line < self._tops[-1]:
            return None
        return self.plan.rows[bisect_right(self._tops, line) - 1]

    def lay_out(self, top: int | None = None) -> None:
        """The rows anew. The line at the top stays there, unless that is the beginning of the list."""
        anchor = self.row_at(self.scroll_offset.y) if self.scroll_offset.y else None
        within = self.scroll_offset.y - self._top(anchor.id) if anchor else 0
        place = self.plan.place(self.selected) or 0
        shown = self._wanted and self._wanted.select(self._todos, self.names.artifacts, self.names.sprints)
        self.found = len(self._todos if shown is None else shown)
        kept = self.entry.todo_id if self.entry else 0
        self.plan = Plan(self._todos, self.folds, shown, blank=self._written == NEW, kept=kept)
        if self.selected is not None and self.plan.place(self.selected) is None:
            # What took its place, or the end.
            near = self.plan.rows[place : place + 1] or self.plan.rows[-1:]
            self._missed, self.selected = self.selected, near[0].id if near else None
        elif self.has_focus:
            self._take_up()
        self.measure(settle=False)
        if top is None and anchor and self.plan.place(anchor.id) is not None:
            top = self._top(anchor.id) + within
        self.settle(top)
        if self.has_focus:
            self.show_selected()

    def measure(self, *, settle: bool = True) -> None:
        """How high every row is."""
        dense = len(self.plan.rows) > DENSE
        # A column is left free, so that nothing touches the scroll bar.
        width = max(1, self.columns - 1)
        sight = self._sight = Sight(self.ink, width, self.clock(), self.names, dense, self._stretch)
        self._drawn.clear()
        index = self.plan.place(self._written)
        if dense and index is None:
            self._tops = range(len(self.plan.rows) + 1)
        else:
            heights = [1 if dense else self._height(row) for row in self.plan.rows]
            if index is not None:
                heights[index] = len(self._lines(index))
            self._tops = [0, *accumulate(heights)]
        ways = Ways(
            app_key(self, "plan-enter", "alt+t"),
            key_for(self, "plan-new", "n"),
            key_for(self, "plan-leave", "esc"),
        )
        filtered, focused = bool(self.filter), self.has_focus
        self._vacancy = vacancy(self.ink, self.columns, ways=ways, filtered=filtered, focused=focused)
        self.total = self._tops[-1] or len(self._vacancy)
        self._clocks = self._read_clocks(sight.moment)
        if settle:
            self.settle()

    def show_selected(self) -> None:
        index = self.plan.place(self.selected if self._written is None else self._written)
        if index is not None:
            self.reveal(self._tops[index], self._tops[index + 1] - 1)

    def redraw(self) -> None:
        self._drawn.clear()
        self.refresh()

    def line(self, number: int) -> Sequence[Run]:
        if not self.plan.rows:
            return self._vacancy[number]
        index = bisect_right(self._tops, number) - 1
        return self._lines(index)[number - self._tops[index]]

    def fill(self, number: int) -> str:
        row = self.row_at(number)
        lit = row is not None and (self._lit(row) or self._written == row.id)
        return "input" if lit and self.line(number) else "panel"

    def on_resize(self) -> None:
        self.measure()
        if self.has_focus:
            self.show_selected()

    def on_focus(self) -> None:
        self._take_up()
        self.measure()

    def on_blur(self) -> None:
        self.measure()

    def _take_up(self) -> None:
        """Keys go to a row wherever there is one: the one that was lost with all others, else the first."""
        if self.selected is None and self.plan.rows:
            self.selected = self.plan.rows[self.plan.place(self._missed) or 0].id

    def _lines(self, index: int) -> list[list[Run]]:
        found = self._drawn.get(index)
        if found is None:
            found = self._drawn[index] = self._draw(self.plan.rows[index])
        return found

    def _draw(self, row: Row) -> list[list[Run]]:
        entry, sight = self.entry, self._sight
        if entry is None or entry.row != row.id:
            shown = row if isinstance(row, Group) else self.plan.item(row)
            return draw(shown, sight, selected=self._lit(row)) if shown else []
        item, waiting = self.plan.item(row), not self.has_focus
        if entry.kind == "block" and item:
            reason = typed_rows(entry.typed, sight, item, "waits for: ", waiting=waiting)
            # The old one is what is being changed.
            bare = item._replace(todo=replace(item.todo, blocked_reason=None))
            return draw(bare, sight, selected=True) + reason
        return typed_rows(entry.typed, sight, item, waiting=waiting)

    def _height(self, row: Row) -> int:
        shown = row if isinstance(row, Group) else self.plan.item(row)
        return height(shown, self._sight) if shown else 1

    @property
    def _written(self) -> int | None:
        """The row that is being typed in."""
        return self.entry.row if self.entry else None

    def _lit(self, row: Row) -> bool:
        """Only where keys go to it a row is marked; else the list would look as if it had them."""
        return self.has_focus and row.id == self.selected and self._written is None

    def _top(self, key: int) -> int:
        index = self.plan.place(key)
        return self._tops[index] if index is not None else 0

    def _read_clocks(self, moment: int) -> tuple[str, ...]:
        return tuple(clock(worked(todo, self._stretch, moment)) for todo in self._under_way())

    def _under_way(self) -> Iterator[Todo]:
        # What is in progress comes first in the list.
        return takewhile(lambda todo: todo.status == "in_progress", self._todos)

    def _tick_while_needed(self) -> None:
        running = self._stretch is not None and self._stretch.since is not None
        if running and self._ticking is None:
            self._ticking = self.set_interval(1, self._tick)
        elif not running and self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    def _tick(self) -> None:
        moment = self.clock()
        clocks = self._read_clocks(moment)
        if clocks == self._clocks:
            return
        self._clocks = clocks
        self._sight = replace(self._sight, moment=moment)
        self.redraw()
