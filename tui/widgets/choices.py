"""The answers to a question, one below the other; without room for all, those around the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from textual import events
from textual.message import Message

from agent.events import Choice
from tui.oneline import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells, padded, wrap
from tui.widgets.drawn import Drawn, cut

# Cells that a remark may take from an answer that stands alone.
_REMARK = 9
# Cells an answer needs to be read; in fewer it stands without the keys of the others.
_LEAST = 10
# Letters of an answer; who offers more does not mean it to be read.
_LONGEST = 1_000


class Choices(Drawn):
    FILL = "input"

    class Clicked(Message):
        """`among` are the choices that were on the screen at the click."""

        def __init__(self, choice: Choice, among: tuple[Choice, ...]) -> None:
            super().__init__()
            self.choice, self.among = choice, among

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="choices")
        self.marked = True
        self._choices: tuple[Choice, ...] = ()
        self._at = 0
        self._most = 0
        self._remarks: tuple[str, ...] = ()
        self._lit = True

    @property
    def chosen(self) -> Choice | None:
        return self._choices[self._at] if self._choices and self.marked else None

    def show(self, choices: tuple[Choice, ...]) -> None:
        self._choices, self._at, self.marked = choices, 0, True
        self.display = bool(choices)
        self.refresh()

    def choose(self, choice: Choice) -> None:
        self._at, self.marked = self._choices.index(choice), True
        self.refresh()

    def mark(self, *, marked: bool) -> None:
        """Unmarked, none of them is chosen until a key asks for one."""
        self.marked = marked
        self.refresh()

    def step(self, by: int) -> None:
        """The first step shows where one is."""
        if self.marked:
            self._at = (self._at + by) % max(1, len(self._choices))
        self.marked = True
        self.refresh()

    def light(self, *, lit: bool) -> None:
        """Whether the keys of the answers are taken."""
        if lit != self._lit:
            self._lit = lit
            self.refresh()

    def remark(self, *forms: str) -> None:
        """Something small beside the last answer, in the longest form that has room."""
        if forms != self._remarks:
            self._remarks = forms
            self.refresh()

    def needed(self, width: int) -> int:
        """Rows for all of them."""
        return sum(len(self._answer(number, width)) for number in range(len(self._choices)))

    def fit(self, width: int, most: int) -> int:
        """Takes at most so many rows where that does, and says how many it takes."""
        self._most = max(1, most)
        height = len(self._shown(width))
        self.styles.height = height
        self.refresh()
        return height

    @property
    def part(self) -> str:
        """Which of them are in sight; empty where all are, or one that names the keys of the others."""
        shown = sorted({number for number, _ in self._shown(self.size.width)})
        count = len(self._choices)
        return f"{shown[0] + 1}-{shown[-1] + 1} of {count}" if 1 < len(shown) < count else ""

    def is_in_sight(self, choice: Choice) -> bool:
        return self._choices.index(choice) in {number for number, _ in self._shown(self.size.width)}

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        shown = self._shown(width)
        rows = [self._filled(number, row, width) for number, row in shown]
        if rows:
            number, row = shown[-1]
            style = self.ink.style("dim", self._fill(number))
            remark = next((form for form in self._remarks if cells(row) + len(form) < width), "")
            if remark:
                rows[-1] = [*padded(row, width - len(remark), style), (remark, style)]
        return rows

    def on_click(self, event: events.Click) -> None:
        shown = self._shown(self.size.width)
        if 0 <= event.y < len(shown):
            self.post_message(self.Clicked(self._choices[shown[event.y][0]], self._choices))

    def _shown(self, width: int) -> list[tuple[int, list[Run]]]:
        """The number of the answer that each row is of; an answer is shown whole or not at all."""
        if not self._choices:
            return []
        answers = [self._answer(number, width) for number in range(len(self._choices))]
        if sum(map(len, answers)) <= self._most:
            first, last = 0, len(answers)
        else:
            first = last = self._at
            used = 0
            for number in (*range(self._at, len(answers)), *range(self._at - 1, -1, -1)):
                used += len(answers[number])
                if used > self._most:
                    break
                first, last = min(first, number), max(last, number + 1)
        if last - first <= 1 < len(answers):
            return [(self._at, row) for row in self._answer(self._at, width, alone=True)]
        return [(number, row) for number in range(first, last) for row in answers[number]]

    def _answer(self, number: int, width: int, *, alone: bool = False) -> list[list[Run]]:
        """What an answer would allow is never cut off."""
        ink, fill, choice = self.ink, self._fill(number), self._choices[number]
        front, beside = self._keys(width) if alone else [], _REMARK if alone else 1
        if width - cells(front) - beside < _LEAST:
            front, beside = [], 1
        keys = max(len(each.key or " ") for each in self._choices)
        front = front or [(f" {choice.key:>{keys}}  ", self._key_style(fill))]
        label = one_line(choice.label, _LONGEST)
        room = width - cells(front) - beside
        lines = wrap([(label, ink.style("text" if self._lit else "dim", fill))], max(1, room))
        blank: list[Run] = [(" " * cells(front), ink.style("text", fill))]
        return [cut([*(blank if at else front), *line.runs], width, ink) for at, line in enumerate(lines)]

    def _keys(self, width: int) -> list[Run]:
        """All there are, before the only answer that has room."""
        if sum(len(choice.key) + 1 for choice in self._choices) > width // 2:
            return []
        ink = self.ink
        runs: list[Run] = [(" ", ink.style("text", self._fill(self._at)))]
        for number, choice in enumerate(self._choices):
            fill = self._fill(self._at)
            style = self._key_style(fill) if number == self._at else ink.style("dim", fill)
            runs.append((f"{choice.key} ", style))
        return runs

    def _filled(self, number: int, row: list[Run], width: int) -> list[Run]:
        return padded(row, width, self.ink.style("text", self._fill(number)))

    def _key_style(self, fill: str) -> Style:
        return self.ink.style("waiting", fill, "bold") if self._lit else self.ink.style("dim", fill)

    def _fill(self, number: int) -> str:
        return "selection" if self._lit and self.marked and number == self._at else "input"
