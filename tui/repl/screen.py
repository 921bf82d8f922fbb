"""The prompt at the bottom of an ordinary terminal; what is printed above it is never drawn again."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions
from prompt_toolkit.formatted_text import StyleAndTextTuples
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
from rich.cells import cell_len

from agent.commands.results import Table
from agent.events import Choice, QuestionAsked
from tui.asking import by_line, hint, keys
from tui.errors import DoorError
from tui.prompting.editor import edited
from tui.repl import usage
from tui.repl.drawing import Drawing
from tui.repl.keys import bindings
from tui.repl.paper import Paper
from tui.repl.talk import Talk

INTERRUPTED = 130

_INPUT_ROWS = 12
_MENU_ROWS = 8
_PASTED_LINES = 10
_PASTED_CHARACTERS = 2_000
# Whoever is typing when a question comes up must not answer it by accident.
_GRACE = 0.4
_ALONE = 0.3
_BREATH = 0.05


# What stands before and above the words that go with an answer; True for a refusal.
_WORDED = {
    True: ("why? ", "say why, enter refuses, esc goes back"),
    False: ("what? ", "say what matters most, enter does it, esc goes back"),
}


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
        self._unwritten: list[str] = []
        self._flushing: asyncio.TimerHandle | None = None
        self._editing = False
        self._asked: tuple[QuestionAsked | None, float] = (None, 0.0)
        self.refusing: tuple[QuestionAsked, Choice] | None = None
        self._draft = ""
        self._pastes: dict[str, str] = {}
        self._presses = 0
        self._interrupted_at: int | None = None
        self._warned_at: int | None = None

    async def run(self, talk: Talk, completer: Completer, history: list[str], draft: str) -> int:
        """Until the user leaves; returns the exit status. `draft` stands in the line already."""
        self._talk = talk
        self.buffer = Buffer(
            completer=completer,
            complete_while_typing=Condition(self._completes),
            history=InMemoryHistory(history),
            multiline=True,
            document=Document(draft),
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
        try:
            return await app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            if self._flushing is not None:
                self._flushing.cancel()
            self._editing = False
            self._flush()

    @property
    def takes_sequences(self) -> bool:
        return True

    @property
    def keys(self) -> Table:
        return usage.PROMPT

    def leave(self, status: int) -> None:
        app = self._app
        if app is not None and app.is_running and not app.is_done:
            app.exit(result=status)

    def interrupted(self) -> None:
        """ctrl+c, or its signal: stops what runs, else clears what is typed; the second in a row leaves."""
        if self._is_next_after(self._interrupted_at):
            self.leave(INTERRUPTED)
            return
        talk = self._known
        running = talk.interruptible
        if running:
            talk.interrupt()
        else:
            self.buffer.reset()
        if talk.jobs or not running:
            talk.warn("ctrl+c")
        self._interrupted_at = self._presses

    def left(self) -> None:
        """ctrl+d: leaves, but names the agent's jobs first; the second in a row ends them."""
        warned = self._is_next_after(self._warned_at) or self._is_next_after(self._interrupted_at)
        if warned or not self._known.jobs:
            self.leave(0)
            return
        self._known.warn("ctrl+d")
        self._warned_at = self._presses

    def _is_next_after(self, press: int | None) -> bool:
        return press is not None and self._presses - press <= 1

    def write(self, text: str) -> None:
        """What comes in one breath is printed in one go: each print costs a drawing of the prompt."""
        if not text:
            return
        self._unwritten.append(text)
        app = self._app
        if app is None or not app.is_running:
            self._flush()
        elif self._flushing is None:
            self._flushing = asyncio.get_running_loop().call_later(_BREATH, self._flush)

    def _flush(self) -> None:
        self._flushing = None
        if self._editing:
            return
        text = "".join(self._unwritten)
        self._unwritten.clear()
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
        if question is not self._asked[0]:
            self._asked = (question, time.monotonic())
            if self.refusing is not None:
                self.stop_refusing()
        app.invalidate()

    def draft(self, text: str) -> None:
        if not self.buffer.text:
            self.buffer.text = text
            self.buffer.cursor_position = len(text)

    @property
    def answerable(self) -> QuestionAsked | None:
        """The question that a single key may answer now."""
        idle = not self.buffer.text and self.refusing is None
        return self._readable if idle else None

    @property
    def _readable(self) -> QuestionAsked | None:
        """The open question, once it has been on the screen for long enough to be read."""
        question, since = self._asked
        known = self._talk.question if self._talk else None
        return question if question is known and time.monotonic() - since >= _GRACE else None

    def answers_too_early(self) -> bool:
        """Whether the typed line would answer a question that came up while it was typed."""
        question = self._known.question
        return bool(question and question is not self._readable and by_line(question, self.typed))

    def when_alone(self, key: str, question: QuestionAsked, act: Callable[[], None]) -> None:
        """Act on a key unless it turns out to be the beginning of a word: "also" must not mean "always"."""
        press = self._presses

        def check() -> None:
            if self._presses == press and self.buffer.text == key and self._known.question is question:
                self.buffer.reset()
                act()
                self.refresh()

        asyncio.get_running_loop().call_later(_ALONE, check)

    def refuse(self, question: QuestionAsked, choice: Choice) -> None:
        """Ask for the words that go with an answer, most often a refusal, in the place of the prompt."""
        self.refusing, self._draft = (question, choice), self.buffer.text
        self.buffer.reset()

    def stop_refusing(self) -> None:
        self.refusing = None
        self.buffer.text = self._draft

    def paste(self, text: str) -> None:
        """A large one stands as a word in the line, and goes out as what it is."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        lines = text.count("\n") + 1
        if lines > _PASTED_LINES or len(text) > _PASTED_CHARACTERS:
            word = f"[paste {len(self._pastes) + 1}: {lines} lines]"
            self._pastes[word] = text
            text = word
        self.buffer.insert_text(text)

    @property
    def typed(self) -> str:
        """As text: where the locale knows no such letters, they come as the bytes they were typed in."""
        return self.buffer.text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def taken(self) -> str:
        """What is in the line, which is empty then."""
        text = self.typed
        self.buffer.reset(append_to_history=bool(text.strip()))
        for word, pasted in self._pastes.items():
            text = text.replace(word, pasted)
        return text

    def clear(self) -> None:
        """One row stays: tmux keeps what is erased from the first cell on, and with it every drawn prompt."""
        if self._app is not None:
            self._app.renderer.clear()
            self._output.write_raw("\r\n")
            self._output.flush()

    def open_editor(self) -> None:
        if self._app is not None and not self._editing:
            self._editing = True
            self._app.create_background_task(self._edit())

    async def _edit(self) -> None:
        try:
            async with in_terminal():
                text = await edited(self.buffer.text, os.environ)
            self.buffer.document = Document(text)
        except DoorError as error:
            self._known.say(f"{error}; {error.hint}".rstrip("; "))
        finally:
            self._editing = False
            self._flush()

    def _pressed(self, _: KeyProcessor) -> None:
        self._presses += 1
        talk = self._talk
        if talk is not None:
            talk.hold_wake()

    def _completes(self) -> bool:
        text = self.buffer.text
        return self.refusing is None and (text.startswith("/") or "@" in text)

    def _layout(self) -> Layout:
        drawing = Drawing(self._known, self._paper)
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
            _text(drawing.tail),
            _text(drawing.activity),
            _text(drawing.queue),
            _text(self._question),
            entry,
            menu,
            search,
            _text(drawing.toolbar),
        ]
        return Layout(HSplit(parts), focused_element=entry)

    def _prompt(self) -> StyleAndTextTuples:
        if self.refusing is not None:
            return [("class:waiting", self._spelled(_WORDED[self.refusing[1].name == "no"][0]))]
        return [("class:prompt", self._spelled("› "))]

    def _question(self) -> StyleAndTextTuples:
        question = self._known.question
        if question is None:
            return []
        if self.refusing is not None:
            return [("class:waiting", _WORDED[self.refusing[1].name == "no"][1])]
        if self.buffer.text and question.purpose != "ask_user":
            return [
                ("class:faint", "enter sends your text; then answer "),
                ("class:waiting", keys(question)),
            ]
        return [("class:waiting", self._filled(hint(question)))]

    def _filled(self, choices: str) -> str:
        """A line is broken between two choices, never within one."""
        lines = [""]
        for choice in choices.split("   "):
            longer = f"{lines[-1]}   {choice}" if lines[-1] else choice
            if cell_len(longer) < self._paper.width:
                lines[-1] = longer
            else:
                lines.append(choice)
        return "\n".join(lines)

    @property
    def _known(self) -> Talk:
        assert self._talk is not None
        return self._talk

    def _spelled(self, text: str) -> str:
        return self._paper.spelled(text)


def _text(content: Callable[[], StyleAndTextTuples]) -> ConditionalContainer:
    """Takes no row while there is nothing to say."""
    window = Window(FormattedTextControl(content), dont_extend_height=True, wrap_lines=True)
    return ConditionalContainer(window, Condition(lambda: bool(content())))


async def tick(screen: Screen, talk: Talk, seconds: float = 0.1) -> None:
    """Moves the clock and the spinner while there is something to wait for."""
    while True:
        await asyncio.sleep(seconds)
        talk.settle()
        if talk.status.working or talk.status.wakes_at is not None:
            screen.refresh()
