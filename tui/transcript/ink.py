"""Turns roles of a palette into terminal styles, once each, and knows which signs the terminal has."""

from __future__ import annotations

from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from rich.style import Style

from tui.theme import Palette

# How a drawn line follows the one before: a line of its own, wrapped at a space, or cut inside a word.
Joint = Literal["\n", " ", ""]

_LINKED = frozenset(("http", "https", "mailto"))


class Glyphs(NamedTuple):
    bullets: tuple[str, ...] = ("•", "◦", "▪")
    quote: str = "▎"
    rule: str = "─"
    bar: str = "▌"
    done: str = "✓"
    open: str = "○"
    failed: str = "✗"
    denied: str = "⊘"
    running: str = "◌"
    folded: str = "▸"
    unfolded: str = "▾"
    ellipsis: str = "…"
    minus: str = "−"
    split: str = "│"
    down: str = "↓"
    ascii: bool = False


PLAIN = Glyphs(
    bullets=("*", "-", "+"),
    quote="|",
    rule="-",
    bar=">",
    done="+",
    open="o",
    failed="x",
    denied="!",
    running="~",
    folded=">",
    unfolded="v",
    ellipsis="~",
    minus="-",
    split="|",
    down="v",
    ascii=True,
)


class Ink:
    """Every style has its background baked in, so that nothing is blended while painting."""

    def __init__(self, palette: Palette, glyphs: Glyphs | None = None) -> None:
        self.palette = palette
        self.glyphs = glyphs or Glyphs()
        self._styles: dict[tuple[str, ...], Style] = {}

    def style(self, role: str = "text", fill: str = "page", *attributes: str) -> Style:
        key = (role, fill, *attributes)
        found = self._styles.get(key)
        if found is None:
            found = self._styles[key] = self._made(role, fill, attributes)
        return found

    def gutter(self, joint: Joint = "\n", role: str = "dim", fill: str = "page") -> Style:
        """For what stands beside the text and is not copied with it."""
        key = ("gutter", joint, role, fill)
        found = self._styles.get(key)
        if found is None:
            found = self.style(role, fill) + Style(meta={"gutter": True, "joint": joint})
            self._styles[key] = found
        return found

    def room(self, fill: str = "page") -> Style:
        """For blanks up to an edge, which nobody wrote."""
        return self.gutter(role="text", fill=fill)

    def link(self, address: str, fill: str = "page", *attributes: str) -> Style:
        style = self.style("link", fill, "underline", *attributes)
        return style + Style(link=address) if openable(address) else style

    def _made(self, role: str, fill: str, attributes: tuple[str, ...]) -> Style:
        front, back = self.palette.front(role, fill), self.palette.paint(fill)
        words = front.attributes.union(back.attributes, attributes)
        return Style.parse(" ".join(sorted(words))) + Style(color=front.colour, bgcolor=back.colour)


def openable(address: str) -> bool:
    """Only addresses that a terminal may open without harm become links."""
    try:
        return urlsplit(address).scheme in _LINKED
    except ValueError:
        return False
