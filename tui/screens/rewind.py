"""Going back: the messages to go back to, what each would undo, and how much of it goes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from agent.commands.results import Option
from store.frozen import frozen
from tui.bindings import key_for
from tui.escapes import safe
from tui.oneline import one_line
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn, cut, spread

_WHATS = (
    ("all", "all"),
    ("both", "conversation and files"),
    ("conversation", "conversation"),
    ("files", "files"),
    ("plan", "plan"),
)
# What stands around the rows, and what stands below them.
_AROUND = 10
_BELOW = 8


@frozen
class Outlook:
    """What going back to a message would do: how many messages are set aside, which files are put back.

    `left` says of a file that stays as it is why; `beyond` what nobody can know of; `plan` how many todos of
    the plan were different then.
    """

    said: str
    back: tuple[str, ...]
    left: tuple[tuple[str, str], ...]
    beyond: str = ""
    plan: str = ""


class RewindScreen(PickerScreen):
    """Gives the line to type, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn(1)", "What goes back", priority=True, id="rewind-what"),
        Binding("shift+tab", "turn(-1)", "What goes back", show=False, priority=True, id="rewind-what-back"),
    ]

    class Asked(Message):
        """Another message is the chosen one; to be answered with `show`."""

        def __init__(self, screen: RewindScreen, line: str) -> None:
            super().__init__()
            self.screen, self.line = screen, line

    BENEATH = None

    def __init__(self, ink: Ink, title: str, options: Sequence[Option]) -> None:
        rows = [Row(each.line, each.label, each.detail) for each in options]
        super().__init__(ink, title, rows)
        self._asked = ""

    @property
    def hint(self) -> str:
        return f"enter goes back  {key_for(self, 'rewind-what')} what  {key_for(self, 'picker-close')} closes"

    def on_mount(self) -> None:
        self.query_one("#picker").mount(Consequences(self.ink))
        super().on_mount()

    @property
    def height(self) -> int:
        """Fewer rows than elsewhere: what would happen stands below them."""
        return max(1, min(8, len(self._rows), self.size.height - _AROUND - _BELOW))

    def moved(self) -> None:
        row = self.query_one(Rows).row
        line = row.value if row else ""
        if line != self._asked:
            self._asked = line
            self.query_one(Consequences).forget()
            if line:
                self.post_message(self.Asked(self, line))

    def show(self, line: str, outlook: Outlook) -> None:
        if line == self._asked:
            self.query_one(Consequences).show(outlook)

    def choose(self, row: Row) -> None:
        self.dismiss(f"{row.value} {self.query_one(Consequences).what}")

    def action_turn(self, by: int) -> None:
        self.query_one(Consequences).turn(by)


class Consequences(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="consequences")
        self._at = 0
        self._outlook: Outlook | None = None

    @property
    def what(self) -> str:
        return _WHATS[self._at][0]

    def turn(self, by: int) -> None:
        self._at = (self._at + by) % len(_WHATS)
        self.refresh()

    def forget(self) -> None:
        self._outlook = None
        self.refresh()

    def show(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        choice: list[Run] = [("   ", self.ink.style("text", "panel"))]
        for number, (_, label) in enumerate(_WHATS):
            chosen = number == self._at
            style = self.ink.style("text", "selection", "bold") if chosen else self.ink.style("dim", "panel")
            choice += [(f" {label} ", style), (" ", self.ink.style("text", "panel"))]
        return [
            [],
            spread(cut(choice, width, self.ink), [], width, self.ink, "panel"),
            [],
            *self._told(width),
        ]

    def _told(self, width: int) -> list[list[Run]]:
        outlook = self._outlook
        if outlook is None:
            return []
        lines: list[tuple[str, str, str]] = []
        if self.what in ("all", "both", "conversation"):
            lines.append(("set aside", outlook.said, "text"))
        if self.what in ("all", "both", "files"):
            lines += self._files(outlook)
        lines.append(self._plan(outlook))
        return [row for each in lines for row in self._fact(*each, width)]

    def _plan(self, outlook: Outlook) -> tuple[str, str, str]:
        if self.what not in ("all", "plan"):
            return "plan", "stays as it is", "dim"
        if not outlook.plan:
            return "plan", "is the same", "dim"
        return "plan", f"takes back {outlook.plan}", "text"

    def _files(self, outlook: Outlook) -> Iterator[tuple[str, str, str]]:
        back = _listed(outlook.back, 6)
        yield ("put back", back, "text") if back else ("put back", "no file", "dim")
        for why in dict.fromkeys(why for _, why in outlook.left):
            names = [name for name, reason in outlook.left if reason == why]
            yield "left", f"{_listed(names, 3)}: {why}", "waiting"
        if outlook.beyond:
            yield "beware", outlook.beyond, "dim"

    def _fact(self, name: str, value: str, role: str, width: int) -> list[list[Run]]:
        """In two rows at most."""
        ink, front = self.ink, f"    {name:<11}"
        room = max(1, width - len(front) - 1)
        style = ink.style(role, "panel")
        lines = [line.runs for line in wrap([(one_line(safe(value)), style)], room)]
        if len(lines) > 2:
            lines[1] = cut([*lines[1], (" " * room, style)], room, ink)
        fronts = (front, " " * len(front))
        return [
            [(before, ink.style("dim", "panel")), *runs] for before, runs in zip(fronts, lines, strict=False)
        ]


def _listed(names: Sequence[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
