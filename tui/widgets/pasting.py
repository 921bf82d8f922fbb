"""A text area that takes pastes of any size, also from terminals that do not say that it is one."""

from __future__ import annotations

import time

from textual import events
from textual.message import Message
from textual.timer import Timer

from tui.prompting.pouring import Pour
from tui.prompting.tokens import cleaned, long
from tui.widgets.units import UnitArea

# What is larger stays a word: nobody reads it in a prompt.
_LONGEST_SHOWN = 100_000
# Seconds after which keys that have come but wait for their turn are looked for again.
_AGAIN = 0.02


class PastingArea(UnitArea, inherit_bindings=False):
    """Derive and say what `considered` and `action_send` do. With a `pour`, fast keys are looked at."""

    class Pasted(Message):
        """A long text, and the word that stands for it."""

        def __init__(self, word: str, text: str) -> None:
            super().__init__()
            self.word, self.text = word, text

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002
        super().__init__(placeholder, id=id)
        self.pour: Pour | None = None
        self._pouring: Timer | None = None
        self._handled = 0.0
        self.pasting = False

    def considered(self) -> None:
        """Something was changed."""
        raise NotImplementedError

    def action_send(self) -> None:
        raise NotImplementedError

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default().stop()
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """A long one becomes a word; the same again behind that word puts itself in the word's place."""
        text = cleaned(text)
        start, end = sorted(self.selection)
        if long(text):
            word = self.tokens.add(text)
            if self.typed.endswith(word) and len(text) <= _LONGEST_SHOWN:
                start = (end[0], end[1] - len(word))
            else:
                self.post_message(self.Pasted(word, text))
                text = word
        self.replace(text, start, end, maintain_selection_offset=False)
        self.pasting = True
        self.considered()
        self.pasting = False

    def action_paste(self) -> None:
        clipboard: str = self.app.clipboard  # pyright: ignore[reportUnknownMemberType] # of any app
        self.paste(clipboard)

    def action_expand(self) -> None:
        """The word before the cursor, else all that fit, become what they stand for."""
        row, column = self.cursor_location
        words = self.tokens.spans(self.document.get_line(row))
        near = [word for _, end, word in words if end == column]
        for word, text in self.tokens.used(near[0] if near else self.text).items():
            if len(text) <= _LONGEST_SHOWN:
                self.put(self.text.replace(word, text))

    def poured(self, event: events.Key) -> bool:
        """Whether the key belongs to a paste that the terminal did not mark as one."""
        pour = self.pour
        if pour is None:
            return False
        # Keys wait for one another, so that they may be handled long after they came.
        self._handled = time.monotonic()
        verdict = pour.press(event.key, event.character, event.time)
        if verdict == "ended":
            self._end_pour()
            verdict = pour.press(event.key, event.character, event.time)
        if verdict == "held" and self._pouring is None:
            self._pouring = self.set_timer(pour.patience, self._settle)
        return verdict == "held"

    def _settle(self) -> None:
        """Once nothing has come for a while."""
        self._pouring = None
        if self.pour and self.pour.held:
            left = self.pour.patience - (time.monotonic() - self._handled)
            if left > 0 or self.pour.more():
                self._pouring = self.set_timer(max(left, _AGAIN), self._settle)
            else:
                self._end_pour()

    def _end_pour(self) -> None:
        """A line end alone is the key it looks like; more is what would have been pasted."""
        before, held = self.pour.end() if self.pour else ("", "")
        if held == "\n":
            self.action_send()
        elif held:
            if self.typed.endswith(before):
                row, column = self.cursor_location
                self.delete((row, column - len(before)), (row, column))
                held = before + held
            self.paste(held)
