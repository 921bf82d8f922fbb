"""Reads what is inside a line of Markdown: emphasis, code, links."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tui.escapes import in_ascii, safe
from tui.transcript.ink import Ink, openable
from tui.transcript.wrapping import Run

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ATTRIBUTES = {"strong": "bold", "em": "italic", "s": "strike"}


def inline(text: str, ink: Ink, role: str = "text", fill: str = "page", *attributes: str) -> list[Run]:
    text = text.replace("\t", " ")
    if not any(sign in text for sign in "*_`[!<&\\~:\n"):
        return [(in_ascii(text) if ink.glyphs.ascii else text, ink.style(role, fill, *attributes))]
    reader = _Reader(ink, role, fill, attributes)
    for token in _parser().parseInline(text)[0].children or ():
        reader.read(token)
    return reader.runs


class _Reader:
    def __init__(self, ink: Ink, role: str, fill: str, attributes: tuple[str, ...]) -> None:
        self.runs: list[Run] = []
        self._ink = ink
        self._role = role
        self._fill = fill
        self._attributes = list(attributes)
        self._address = ""
        self._linked = 0

    def read(self, token: Token) -> None:
        match token.type:
            case "softbreak":
                self._write(" ")
            case "hardbreak":
                self._write("\n")
            case "code_inline":
                self._write(token.content, "builtin")
            case "link_open":
                self._address = safe(str(token.attrGet("href") or ""))
                self._linked = len(self.runs)
            case "link_close":
                self._close_link()
            case "image":
                self._image(token)
            case _ if token.nesting:
                self._turn(token)
            case _:
                self._write(token.content)

    def _turn(self, token: Token) -> None:
        attribute = _ATTRIBUTES.get(token.type.rpartition("_")[0])
        if attribute and token.nesting > 0:
            self._attributes.append(attribute)
        elif attribute in self._attributes:
            self._attributes.remove(attribute)

    def _write(self, text: str, role: str = "") -> None:
        # Entities spell out any character, also those that were filtered from the text.
        if not text.isprintable() and text != "\n":
            text = safe(text).replace("\n", " ").replace("\t", " ")
        if self._ink.glyphs.ascii:
            text = in_ascii(text)
        style = (
            self._ink.link(self._address, self._fill, *self._attributes)
            if self._address
            else self._ink.style(role or self._role, self._fill, *self._attributes)
        )
        self.runs.append((text, style))

    def _close_link(self) -> None:
        shown = "".join(text for text, _ in self.runs[self._linked :])
        address, self._address = self._address, ""
        # Where a link leads is said when its own words do not.
        if openable(address) and shown not in (address, address.removeprefix("mailto:")):
            place = urlsplit(address).netloc or urlsplit(address).path
            self.runs.append((f" ({place})", self._ink.style("dim", self._fill)))

    def _image(self, token: Token) -> None:
        """Named, never fetched."""
        self._address = safe(str(token.attrGet("src") or ""))
        self._linked = len(self.runs)
        self._write(token.content or "image")
        self._close_link()


@cache
def _parser() -> MarkdownIt:
    from linkify_it import LinkifyIt
    from markdown_it import MarkdownIt

    options = {"html": False, "linkify": True}
    parser = MarkdownIt("commonmark", options).enable(["strikethrough", "linkify"])
    # Only addresses written in full: `agent.py` is a file.
    parser.linkify = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    return parser
