"""Shows a command as the bytes it is, so that what a person approves is what will run."""

from __future__ import annotations

import re
import unicodedata

_INDENT = re.compile(r"[+-]?[ \t]{1,40}(?=\S)")
_PADDING = re.compile(r" {9,}")
_BLANK_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"


def display(command: str) -> str:
    """No two commands look the same: what a terminal would hide, move or blur is spelled `⟨U+001B⟩`."""
    shown = "".join(_visible_word(piece) for piece in re.split(r"(\s+)", command))
    return _PADDING.sub(lambda run: f"⟨{len(run[0])} spaces⟩", shown)


def display_diff(diff: str) -> str:
    """The same for each line, with the indentation of code left as it is."""
    return "\n".join(map(_diff_line, diff.split("\n")))


def is_honest(command: str) -> bool:
    """Whether a terminal would show this text as it is, line breaks aside."""
    return display(command).replace("⏎\n", "\n") == command


def _diff_line(text: str) -> str:
    # Blanks that push what follows out of sight are spelled out; how code is indented is not one of them.
    indent = _INDENT.match(text)
    return indent[0] + display(text[indent.end() :]) if indent else display(text)


def _visible_word(word: str) -> str:
    mixed = re.search("[A-Za-z]", word) is not None
    return "".join(_visible(character, mixed=mixed) for character in word)


def _visible(character: str, *, mixed: bool) -> str:
    if character == "\n":
        return "⏎\n"
    if " " <= character <= "~":
        return character
    category = unicodedata.category(character)
    hidden = category[0] in "CZ" or category in ("Mn", "Me") or character in _BLANK_LETTERS
    posing = character in "⟨⟩⏎" or unicodedata.normalize("NFKC", character).isascii()
    # A Cyrillic letter in a Latin word is there to be taken for another.
    foreign = mixed and category[0] == "L" and not unicodedata.name(character, "").startswith("LATIN")
    return f"⟨U+{ord(character):04X}⟩" if hidden or posing or foreign else character
