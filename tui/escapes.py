"""Lets text through to the terminal, and nothing in it that could move, hide, colour or answer."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import Literal, TextIO

from tui.letters import is_plain_locale, is_utf8

_State = Literal["text", "escape", "control", "string", "string end"]

_STRING_OPENERS = frozenset("]PX^_")
_C1_STRINGS = frozenset("\x90\x98\x9d\x9e\x9f")
_CONTROL_SEQUENCE = "\x9b"
_STRING_TERMINATOR = "\x9c"
# A string that nobody closes must not swallow the rest of the session.
_LONGEST_STRING = 4_096
# Real scripts stack a few marks on a letter; a flood of them climbs over the lines above.
_MOST_MARKS = 6
# Terminals do not agree how many cells these make of their neighbours, and a row must end where we think.
_UNSETTLED = frozenset("\u200c\u200d\ufeff\u00ad") | frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0100, 0xE01F0)))
)
_FLAGS = range(0x1F1E6, 0x1F200)


class EscapeFilter:
    """Takes text in pieces of any size; a sequence cut in two by a chunk border is still one sequence."""

    def __init__(self) -> None:
        self._state: _State = "text"
        self._length = 0
        self._marks = 0
        self._returned = False

    def feed(self, text: str) -> str:
        if self._state == "text" and not self._returned and _harmless(text):
            return text
        return "".join(map(self._taken, text))

    def _taken(self, character: str) -> str:
        match self._state:
            case "text":
                return self._text(character)
            case "escape":
                return self._escape(character)
            case "control":
                return self._control(character)
            case "string" | "string end":
                return self._string(character)

    def _text(self, character: str) -> str:
        returned, self._returned = self._returned, character == "\r"
        if character == "\r":
            return ""
        # A lone carriage return would overwrite what was read already.
        before = "\n" if returned and character != "\n" else ""
        if character == "\x1b":
            self._state = "escape"
        elif character == _CONTROL_SEQUENCE:
            self._state = "control"
        elif character in _C1_STRINGS:
            self._open_string()
        elif character in "\n\t":
            return before + character
        else:
            return before + self._visible(character)
        return before

    def _visible(self, character: str) -> str:
        category = unicodedata.category(character)
        self._marks = self._marks + 1 if category in ("Mn", "Me") else 0
        if self._marks > _MOST_MARKS or character in _UNSETTLED:
            return ""
        if ord(character) in _FLAGS:
            return chr(ord("A") + ord(character) - _FLAGS.start)
        if character.isprintable():
            return character
        if category == "Zs":
            return " "
        if category in ("Zl", "Zp"):
            return "\n"
        return f"⟨U+{ord(character):04X}⟩"

    def _escape(self, character: str) -> str:
        if character == "[":
            self._state = "control"
        elif character in _STRING_OPENERS:
            self._open_string()
        elif not " " <= character <= "/":
            # One more character ends it, unless that one could not have been part of it.
            return self._back_to_text(character if not "0" <= character <= "~" else "")
        return ""

    def _control(self, character: str) -> str:
        if " " <= character <= "?":
            return ""
        return self._back_to_text("" if "@" <= character <= "~" else character)

    def _open_string(self) -> None:
        self._state = "string"
        self._length = 0

    def _string(self, character: str) -> str:
        self._length += 1
        if character in f"\a{_STRING_TERMINATOR}" or (self._state == "string end" and character == "\\"):
            return self._back_to_text("")
        if character in "\n\r" or self._state == "string end" or self._length > _LONGEST_STRING:
            return self._back_to_text(character)
        if character == "\x1b":
            self._state = "string end"
        return ""

    def _back_to_text(self, character: str) -> str:
        self._state = "text"
        return self._text(character) if character else ""


def safe(text: str, *, unicode: bool = True) -> str:
    """The same for a text that is whole."""
    shown = EscapeFilter().feed(text)
    return shown if unicode else in_ascii(shown)


def speaks_unicode(out: TextIO) -> bool:
    """Python writes UTF-8 also where the locale is plain, which a terminal there does not show."""
    return is_utf8(out.encoding or "") and not (out.isatty() and _is_plain_locale())


def in_ascii(text: str) -> str:
    """For terminals that know no other letters; ours are spelled with what there is."""
    return text.translate(SPELLED).encode("ascii", "replace").decode()


def _is_plain_locale() -> bool:
    # Where Python finds such a locale, it names another one in LC_CTYPE itself.
    names = ("LC_ALL", "LANG") if sys.flags.utf8_mode else ("LC_ALL", "LC_CTYPE", "LANG")
    return is_plain_locale(next((value for name in names if (value := os.environ.get(name))), ""))


def _harmless(text: str) -> bool:
    return text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()


# Two rows, each sign above what stands for it.
SPELLED = str.maketrans(
    "▶■✓✗–○›•·│─━┃▌█░═║⟨⟩⏎—−\u2018\u2019\u201c\u201d",
    ">!+x-.>*-|--||#.=|<>\\--''\"\"",
) | {ord("…"): "...", ord("→"): "->"}
