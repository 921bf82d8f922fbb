"""The prompt at the bottom of an ordinary terminal; what is printed above it is never drawn again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition, has_completions
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from prompt_toolkit.widgets import SearchToolbar

from agent.events import QuestionAsked
from tui.escapes import in_ascii, safe
from tui.repl.asking import hint
from tui.repl.keys import bindings
from tui.repl.paper import Paper
from tui.repl.status import toolbar
from tui.repl.talk import Talk

INTERRUPTED = 130

_TAIL_ROWS = 4
_INPUT_ROWS = 12
_MENU_ROWS = 8
_QUEUE_ROWS = 3
# Whoever is typing when a question comes up must not answer it by accident.
_GRACE = 0.4
_ALONE = 0.3
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Screen:
    """Draws what the talk says and turns keys into calls of it."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._output = create_output()
        if isinstance(self._output, Vt100_Output):
            # Its answer would come in between what is typed, and nothing here depends on it.
            self._output.enable_cpr = False
        self._app: Application[int] | None = None
        self._talk: Talk | None = None
        self._held_back: list[str] | None = None
        self._asked: tuple[str, float] = ("", 0.0)
        self.refusing: QuestionAsked | None = None
        self._draft = ""
        self._presses = 0
        self._interrupted_at: int | None = None

    async def run(self, talk: Talk, completer: Completer, history: list[str]) -> int:
        """Until the user leaves; returns the exit status."""
        self._talk = talk
        self.buffer = Buffer(
            completer=completer,
            complete_while_typing=Condition(self._completes),
            history=InMemoryHistory(history),
            multiline=True,
            tempfile_suffix=".md",
        )
        colour = self._paper.abilities.colour
        app: Application[int] = Application(
            layout=self._layout(),
            style=Style.from_dict(self._paper.palette.prompt_style()),
            key_bindings=bindings(self, talk),
            color_depth=ColorDepth.DEPTH_4_BIT if colour else ColorDepth.DEPTH_1_BIT,
            erase_when_done=True,
            include_default_pygments_style=False,
            output=self._output,
        )
        # Escape alone must act soon, yet leave room for the keys that begin with it.
        app.ttimeoutlen, app.timeoutlen = 0.05, 0.1
        app.key_processor.before_key_press.add_handler(self._pressed)
        self._app = app
        return await app.run_async(handle_sigint=False, set_exception_handler=False)

    def leave(self, status: int) -> None:
        app = self._app
        if app is not None and app.is_running and not app.is_done:
            app.exit(result=status)

    def interrupted(self) -> None:
        """ctrl+c, or its signal: stops what runs, else clears what is typed; the second in a row leaves."""
        if self._interrupted_at is not None and self._presses - self._interrupted_at <= 1:
            self.leave(INTERRUPTED)
            return
        talk = self._known
        if talk.interruptible:
            talk.interrupt()
        else:
            self.buffer.reset()
            talk.say("ctrl+c again leaves, or ctrl+d")
        self._interrupted_at = self._presses

    def write(self, text: str) -> None:
        if not text:
            return
        if self._held_back is not None:
            self._held_back.append(text)
            return
        app = self._app
        if app is not None and app.is_running:
            app.renderer.erase()
        self._output.write_raw(text)
        self._output.flush()
        self.refresh()

    def refresh(self) -> None:
        talk, app = self._talk, self._app
        if talk is None or app is None:
            return
        question = talk.question
        if question is None or question.question_id != self._asked[0]:
            self._asked = (question.question_id if question else "", time.monotonic())
            if self.refusing is not None:
                self.stop_refusing()
        app.invalidate()

    @property
    def answerable(self) -> QuestionAsked | None:
        """The question that a single key may answer now."""
        question = self._talk.question if self._talk else None
        ready = time.monotonic() - self._asked[1] >= _GRACE
        idle = not self.buffer.text and self.refusing is None
        return question if question and ready and idle else None

    def when_alone(self, key: str, act: Callable[[], None]) -> None:
        """Act on a key unless it turns out to be the beginning of a word: "also" must not mean "always"."""
        press = self._presses

        def check() -> None:
            if self._presses == press and self.buffer.text == key and self._known.question is not None:
                self.buffer.reset()
                act()
                self.refresh()

        asyncio.get_running_loop().call_later(_ALONE, check)

    def refuse(self, question: QuestionAsked) -> None:
        """Ask for the reason in the place of the prompt."""
        self.refusing, self._draft = question, self.buffer.text
        self.buffer.reset()

    def stop_refusing(self) -> None:
        self.refusing = None
        self.buffer.text = self._draft

    def open_editor(self) -> None:
        self._held_back = []
        self.buffer.open_in_editor().add_done_callback(lambda _: self._return())

    def _return(self) -> None:
        kept, self._held_back = self._held_back or [], None
        self.write("".join(kept))

    def _pressed(self, _: KeyProcessor) -> None:
        self._presses += 1
        talk = self._talk
        if talk is not None and talk.status.wakes_at is not None:
            talk.interrupt()

    def _completes(self) -> bool:
        text = self.buffer.text
        return self.refusing is None and (text.startswith("/") or "@" in text)

    def _layout(self) -> Layout:
        search = SearchToolbar(ignore_case=True)
        control = BufferControl(
            self.buffer,
            input_processors=[BeforeInput(self._prompt)],
            search_buffer_control=search.control,
            preview_search=True,
        )
        entry = Window(
            control,
            height=Dimension(min=1, max=_INPUT_ROWS),
            wrap_lines=True,
            dont_extend_height=True,
            get_line_prefix=lambda number, wrapped: "  " if number or wrapped else "",
        )
        menu = ConditionalContainer(
            Window(CompletionsMenuControl(), height=Dimension(max=_MENU_ROWS), dont_extend_height=True),
            has_completions,
        )
        parts = [
            Window(height=1),
            _text(self._tail),
            _text(self._activity),
            _text(self._queue),
            _text(self._question),
            entry,
            menu,
            search,
            _text(self._toolbar),
        ]
        return Layout(HSplit(parts), focused_element=entry)

    def _prompt(self) -> StyleAndTextTuples:
        if self.refusing is not None:
            return [("class:waiting", self._spelled("why? "))]
        return [("class:prompt", self._spelled("› "))]

    def _tail(self) -> StyleAndTextTuples:
        """The end of what is being written; it moves up into the transcript once it is whole."""
        telling = self._known.telling
        pending = telling.pending
        if not pending.strip():
            return []
        if telling.in_code or len(pending) > 4_000:
            return [("class:faint", f"  {pending[-self._paper.width + 2 :]}")]
        rows = self._paper.prose(pending).rstrip("\n").split("\n")
        return to_formatted_text(ANSI("\n".join(rows[-_TAIL_ROWS:])))

    def _activity(self) -> StyleAndTextTuples:
        talk = self._known
        status = talk.status
        if not status.working or not talk.session.busy:
            return []
        moment = time.monotonic()
        frame = _SPINNER[int(moment * 8) % len(_SPINNER)] if self._paper.abilities.unicode else "*"
        doing = status.active[-1][1] if status.active else status.current or "thinking"
        seconds = f" · {moment - status.since:.0f} s · esc interrupts"
        room = self._paper.width - len(seconds) - 3
        shown = doing if len(doing) <= room else doing[: max(0, room - 1)] + "…"
        return [
            ("class:accent", f"{frame} "),
            ("", self._spelled(shown)),
            ("class:faint", self._spelled(seconds)),
        ]

    def _queue(self) -> StyleAndTextTuples:
        queued = self._known.session.queued
        if not queued:
            return []
        rows = [_first_line(text, self._paper.width - 10) for text in queued[:_QUEUE_ROWS]]
        more = [f"and {len(queued) - _QUEUE_ROWS} more"] if len(queued) > _QUEUE_ROWS else []
        return [("class:faint", self._spelled("\n".join(f"queued  {row}" for row in [*rows, *more])))]

    def _question(self) -> StyleAndTextTuples:
        question = self._known.question
        if question is None:
            return []
        if self.refusing is not None:
            return [("class:waiting", "say why, enter refuses, esc goes back")]
        if self.buffer.text and question.purpose != "ask_user":
            return [
                ("class:faint", "enter sends your text; then answer: "),
                ("class:waiting", hint(question)),
            ]
        return [("class:waiting", hint(question))]

    def _toolbar(self) -> StyleAndTextTuples:
        status = self._known.status
        width = self._paper.width
        left, right = toolbar(status, width, time.monotonic(), unicode=self._paper.abilities.unicode)
        style = "class:waiting" if status.waits_for_you or status.wakes_at is not None else "class:faint"
        gap = " " * max(1, width - len(left) - len(right)) if right else ""
        return [(style, self._spelled(left)), ("class:faint", self._spelled(gap + right))]

    @property
    def _known(self) -> Talk:
        assert self._talk is not None
        return self._talk

    def _spelled(self, text: str) -> str:
        return text if self._paper.abilities.unicode else in_ascii(text)


def _text(content: Callable[[], StyleAndTextTuples]) -> ConditionalContainer:
    """Takes no row while there is nothing to say."""
    window = Window(FormattedTextControl(content), dont_extend_height=True, wrap_lines=True)
    return ConditionalContainer(window, Condition(lambda: bool(content())))


def _first_line(text: str, room: int) -> str:
    line = " ".join(safe(text).split())
    return line if len(line) <= room else line[: max(0, room - 1)] + "…"


async def tick(screen: Screen, talk: Talk, seconds: float = 0.25) -> None:
    """Moves the clock and the spinner while there is something to wait for."""
    while True:
        await asyncio.sleep(seconds)
        talk.settle()
        if talk.status.working or talk.status.wakes_at is not None:
            screen.refresh()
