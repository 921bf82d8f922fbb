"""Takes a paste out of what the terminal sends in one piece, whatever is in it and however large it is.

Textual goes through it letter by letter, and an escape sequence inside makes it lose the end of the paste.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.events import Paste
from textual.message import Message

# A shorter beginning may be a key of its own, which must not wait.
_SHORTEST = len("\x1b[2")


class PasteParser(XTermParser):
    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        self._carried = ""

    def feed(self, data: str) -> Iterator[Message]:
        if not data:
            yield from super().feed(data)
            return
        data, self._carried = self._carried + data, ""
        while data:
            if self._pasted is None:
                keys, found, data = data.partition(BRACKETED_PASTE_START)
                if found:
                    self._pasted = []
                else:
                    keys, self._carried = _split(keys, BRACKETED_PASTE_START, _SHORTEST)
                if keys:
                    yield from super().feed(keys)
            else:
                text, found, data = data.partition(BRACKETED_PASTE_END)
                if not found:
                    text, self._carried = _split(text, BRACKETED_PASTE_END, 1)
                self._pasted.append(text)
                if found:
                    whole, self._pasted = "".join(self._pasted), None
                    yield Paste(whole.replace("\x00", ""))


def _split(data: str, mark: str, shortest: int) -> tuple[str, str]:
    """What is sure, and an end that may be the beginning of the mark."""
    for length in range(len(mark) - 1, shortest - 1, -1):
        if data.endswith(mark[:length]):
            return data[:-length], data[-length:]
    return data, ""
