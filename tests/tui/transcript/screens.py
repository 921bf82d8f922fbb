"""A bare app around a transcript, to look at it as a terminal would."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.pilot import Pilot

from tui.theme import load_theme
from tui.transcript.entries import AssistantText, Entry
from tui.transcript.view import Transcript


class Reader(App[None]):
    """Its keys scroll as those of the app do, which has them for itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page(-1)"),
        Binding("pagedown", "page(1)"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.transcript = Transcript(load_theme())

    def action_page(self, step: int) -> None:
        self.transcript.scroll_page_up() if step < 0 else self.transcript.scroll_page_down()

    def compose(self) -> ComposeResult:
        yield self.transcript


def numbered(count: int, start: int = 0, *, lines: int = 1) -> list[Entry]:
    return [
        Entry(
            f"e{number}", AssistantText("\n\n".join(f"entry {number} line {line}" for line in range(lines)))
        )
        for number in range(start, start + count)
    ]


def shown(transcript: Transcript) -> list[str]:
    """The rows in sight."""
    return [strip.text.rstrip() for strip in transcript.render_lines(transcript.size.region)]


async def flushed(pilot: Pilot[None], transcript: Transcript) -> None:
    while transcript.busy:
        await pilot.pause(0.02)
    await pilot.pause()
