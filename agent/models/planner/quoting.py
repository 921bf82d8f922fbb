"""Puts what others wrote into a reply so that nobody takes it for something the planner says or calls."""

from __future__ import annotations

import re

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def inline(text: str, most: int = 160) -> str:
    """One line of code; shortened in the open."""
    line = " ".join(_defused(text).split())
    return f"`{line if len(line) <= most else line[: most - 1] + '…'}`"


def block(text: str, most: int = 20) -> str:
    """The last lines as code. The bar keeps them from opening a fence or reading as a command."""
    lines = _defused(text).strip("\n").split("\n")
    left = len(lines) - most
    shown = [f"    │ {line[:200]}" for line in lines[-most:]]
    return "\n".join([f"    │ … {left} lines before", *shown] if left > 0 else shown)


def sentence(text: str, most: int = 400) -> str:
    """Prose of a file, as one quoted paragraph."""
    line = " ".join(_defused(text).split())
    return f"> {line if len(line) <= most else line[: most - 1] + '…'}"


def paragraph(text: str) -> str:
    """The first lines of prose, past headings, badges and markup."""
    taken: list[str] = []
    for line in text.split("\n"):
        prose = re.match(r"\s*[\w*_\"'(]", line) and not re.match(r"\s*(?:[*-] |<|\[!|!\[)", line)
        if prose:
            taken.append(line.strip())
        elif taken:
            break
    return " ".join(taken)


def harmless(text: str) -> str:
    """A finished reply in which nothing can be taken for a call; some models write theirs as text."""
    return re.sub(r"<(?=/?tool_call)", "(", _UNSEEN.sub("", text)).replace("```", "'''")


def _defused(text: str) -> str:
    return _UNSEEN.sub("", text.replace("\r\n", "\n")).replace("`", "'")
