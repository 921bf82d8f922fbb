"""Reads what the terminal sends where Textual's own parser takes it for something else.

A paste comes in one piece, whatever is in it and however large it is: Textual goes through it letter by
letter, and an escape sequence inside makes it lose the end. Keys held with another one are what they are,
at once: Textual waits to see what follows, and takes them apart when it is another sequence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.events import Key, Paste
from textual.message import Message

# A shorter beginning may be a key of its own, which must not wait.
_SHORTEST = len("\x1b[2")
# How xterm, and tmux for those inside it, send a key with modifiers: these first, then the key.
_MODIFIED = re.compile(r"\x1b\[27;(\d+);(\d+)~")
_SHIFT = "2"
_ESCAPE = "\x1b"
# What goes on behind an escape; anything else is a key that was held with alt.
_INTRODUCERS = "[O]PX^_"


class PasteParser(XTermParser):
    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._pasted: list[str] | None = None
        self._carried = ""
        self._last = ""
        self._alone = False

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
                    yield from self._feed_keys(keys)
            else:
                text, found, data = data.partition(BRACKETED_PASTE_END)
                if not found:
                    text, self._carried = _split(text, BRACKETED_PASTE_END, 1)
                self._pasted.append(text)
                if found:
                    whole, self._pasted = "".join(self._pasted), None
                    yield Paste(whole.replace("\x00", ""))

    def _feed_keys(self, keys: str) -> Iterator[Message]:
        pending = self._last == _ESCAPE and self._timeout_time is not None
        # Terminals send a key held with alt in one go; whoever pressed escape before means two keys.
        self._alone = pending and keys[0] not in _ESCAPE + _INTRODUCERS
        self._last = keys[-1]
        yield from super().feed(keys)

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:
        if len(sequence) == 2 and sequence[0] == _ESCAPE and sequence[1] not in _INTRODUCERS:
            if self._alone:
                self._alone = False
                yield Key("escape", _ESCAPE)
                sequence = sequence[1]
            elif sequence not in ANSI_SEQUENCES_KEYS:
                sequence, alt = sequence[1], True
        if alt and sequence == "\r":
            yield Key("alt+enter", None)
            return
        found = _MODIFIED.fullmatch(sequence)
        # A letter in capitals is that letter.
        if found and (found[1] != _SHIFT or not chr(int(found[2])).isprintable()):
            sequence = f"\x1b[{found[2]};{found[1]}u"
        for key in super()._sequence_to_key_events(sequence, alt):
            # Whoever holds alt means a key, not its letter.
            yield Key(key.key, None) if key.key.startswith("alt+") else key


def _split(data: str, mark: str, shortest: int) -> tuple[str, str]:
    """What is sure, and an end that may be the beginning of the mark."""
    for length in range(len(mark) - 1, shortest - 1, -1):
        if data.endswith(mark[:length]):
            return data[:-length], data[-length:]
    return data, ""
