"""The app that the transcript's rows measure: nothing but the transcript, fed from inside."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from textual.app import App, ComposeResult

from tui.theme import load_theme
from tui.transcript.entries import AssistantText, Entry, ToolCall, UserMessage
from tui.transcript.highlight import warm
from tui.transcript.view import Transcript

CHUNKS = 2_000
REPLY = 24_000
MESSAGES = 10_000
STEPS = 20
PARAGRAPH = (
    "The session keeps its **token** for as long as it lives, and `refresh` replaces it in the background; "
    "a second reader may see the *old* one for a moment. See [the notes](https://example.org/notes).\n\n"
)
PIECE = (
    "## What happens here\n\n"
    + PARAGRAPH * 2
    + "1. The session is opened\n2. The token is **checked**\n   - and checked again\n- [ ] write a test\n\n"
    + "```python\ndef expired(self, now: float) -> bool:\n    # Leave some room for a slow clock.\n"
    + "    return self.until < now + 3.5\n```\n\n"
    + "| run | result |\n|---|---|\n| 1 | passed |\n| 2 | failed |\n\n"
)


class Reader(App[None]):
    def __init__(self, figures: Path) -> None:
        super().__init__()
        self.figures = figures
        self.transcript = Transcript(load_theme())

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_mount(self) -> None:
        self.run_worker(self.measure())

    async def measure(self) -> None:
        await self.painted()
        warm()
        gc.freeze()
        spent = {"stream": [await self.streamed(number) for number in range(5)]}
        spent |= await self.long()
        self.figures.write_text(json.dumps(spent))
        self.exit()

    async def streamed(self, number: int) -> float:
        """CPU seconds from the first chunk of a reply to its last line on the screen."""
        text = (PIECE * (REPLY // len(PIECE) + 1))[:REPLY]
        size = -(-len(text) // CHUNKS)
        before = time.process_time()
        for start in range(0, len(text), size):
            self.transcript.stream(f"reply {number}", "text", text[start : start + size])
            await asyncio.sleep(0)
        while self.transcript.busy:  # noqa: ASYNC110 - asking costs nothing, and nobody else needs to know
            await asyncio.sleep(0.01)
        self.transcript.finish(f"reply {number}")
        await self.painted()
        return time.process_time() - before

    async def long(self) -> dict[str, list[float]]:
        """CPU milliseconds of what one does in a session of 10,000 messages."""
        entries = [self.message(number) for number in range(MESSAGES)]
        view = self.transcript
        figures = {"load": [await self.spent(lambda: view.add(*entries))], "page": [], "append": []}
        gc.freeze()
        for number in range(STEPS):
            view.show_line((number + 1) * 997)
            await self.painted()
            figures["page"].append(await self.spent(view.scroll_page_up))
            view.show_end()
            await self.painted()
            one = self.message(MESSAGES + number)
            figures["append"].append(await self.spent(lambda one=one: view.add(one)))
        return figures

    async def spent(self, work: Callable[[], object]) -> float:
        before = time.process_time()
        work()
        await self.painted()
        return (time.process_time() - before) * 1000

    def message(self, number: int) -> Entry:
        match number % 3:
            case 0:
                return Entry(f"m{number}", UserMessage("Please look at it again. " * 8))
            case 1:
                return Entry(f"m{number}", AssistantText(PIECE + PARAGRAPH * 4))
            case _:
                return Entry(f"m{number}", ToolCall("Ran", "pytest -q", "completed", 340, "passed\n" * 150))

    async def painted(self) -> None:
        done = asyncio.Event()
        self.call_after_refresh(done.set)
        await done.wait()


if __name__ == "__main__":
    Reader(Path(sys.argv[1])).run()
