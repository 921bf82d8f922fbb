"""The lines below the plan: what the last key did, or which keys there are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from store.frozen import frozen
from tui.plan.drawing import words
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells, padded, wrap
from tui.widgets.drawn import Drawn, Hint, hint

Keys = tuple[Hint, ...]

_LINES = 5


@frozen
class Saying:
    """With the keys that are worth a word after it."""

    text: str = ""
    failed: bool = False
    keys: Keys = ()


SILENT = Saying()


class Foot(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-foot")
        self._keys: Keys = ()
        self._saying = SILENT

    def show(self, saying: Saying, keys: Keys) -> None:
        if (saying, keys) != (self._saying, self._keys):
            self._saying, self._keys = saying, keys
            self.refresh(layout=True)

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        return foot(self._saying, self._keys, width, self.ink, self.pointed)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        del container, viewport
        return len(self.rows(width))


def foot(saying: Saying, keys: Keys, width: int, ink: Ink, pointed: str | None = None) -> list[list[Run]]:
    """An empty line first, so that the list above does not run into it."""
    room = max(1, width - 2)
    if saying.text:
        style = ink.style("error" if saying.failed else "text", "panel")
        said = [words(each, ink) for each in saying.text.splitlines()]
        lines = [line.runs for each in said for line in wrap([(each, style)], room)]
        after = _key_lines(saying.keys, room, ink, pointed)
        lines = lines[: _LINES - len(after)] + after
    else:
        lines = _key_lines(keys, room, ink, pointed)
    blank: Run = (" ", ink.style("text", "panel"))
    return [[], *([blank, *line] for line in lines[:_LINES])] if lines else []


def _key_lines(keys: Keys, width: int, ink: Ink, pointed: str | None) -> list[list[Run]]:
    """In columns where they fit so, else in a row; a key and its word are never parted."""
    shown = [hint(each, ink, pointed, "panel") for each in keys]
    blank = ink.style("text", "panel")
    for count in range(len(shown), max(0, (len(shown) - 1) // _LINES), -1):
        sizes = [max(map(cells, shown[column::count])) for column in range(count)]
        if sum(sizes) + 2 * (count - 1) <= width:
            filled = [padded(runs, sizes[at % count] + 2, blank) for at, runs in enumerate(shown)]
            return [list(chain(*filled[at : at + count])) for at in range(0, len(filled), count)]
    lines: list[list[Run]] = []
    for runs in shown:
        if not lines or cells(lines[-1]) + cells(runs) > width:
            lines.append([])
        lines[-1] += [*runs, ("  ", blank)]
    return lines
