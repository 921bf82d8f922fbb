"""Where the user types: several lines, editing keys that act in the order they were typed."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import TextArea


class Prompt(TextArea):
    class Submitted(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Steered(Submitted):
        """To go into the turn that is running."""

    def __init__(self, placeholder: str) -> None:
        super().__init__(
            id="prompt",
            compact=True,
            highlight_cursor_line=False,
            placeholder=placeholder,
            tab_behavior="focus",
        )

    def taken(self) -> str:
        """What was typed; the prompt is empty then."""
        text = self.text
        self.clear()
        return text

    async def _on_key(self, event: events.Key) -> None:
        match event.key:
            case "enter":
                event.prevent_default().stop()
                self.post_message(self.Submitted(self.taken()))
            case "ctrl+s":
                event.prevent_default().stop()
                self.post_message(self.Steered(self.taken()))
            case "shift+enter" | "alt+enter" | "ctrl+j":
                event.prevent_default().stop()
                self.insert("\n")
            case _:
                await super()._on_key(event)
