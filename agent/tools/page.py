"""Turns HTML into the text a reader would see, with headings, lists, links and code kept apart."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

_SKIPPED = frozenset(
    {"script", "style", "noscript", "template", "svg", "iframe", "object", "select", "button"}
)
_BLOCKS = frozenset(
    {
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "nav",
        "aside",
        "ul",
        "ol",
        "table",
        "form",
    }
    | {"blockquote", "figure", "figcaption", "dl", "dt", "dd", "details", "summary", "hr", "address", "title"}
)
_HEADINGS = {f"h{level}": f"\n\n{'#' * level} " for level in range(1, 7)}
_INLINE = {"li": "\n- ", "br": "\n", "tr": "\n", "td": " | ", "th": " | "}
_OPENINGS = dict.fromkeys(_BLOCKS, "\n\n") | _HEADINGS | _INLINE
_CLOSINGS = dict.fromkeys(_BLOCKS | _HEADINGS.keys(), "\n\n")


def readable(html: str, base: str) -> str:
    reader = _Reader(base)
    reader.feed(html)
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    def __init__(self, base: str) -> None:
        super().__init__(convert_charrefs=True)
        self._base = base
        self._pieces: list[str] = []
        self._skipping = 0
        self._preformatted = 0
        self._links: list[tuple[str, int]] = []

    def text(self) -> str:
        text = "".join(self._pieces)
        text = re.sub(r"[ \t]+\n", "\n", text)
        return re.sub(r"\n{3,}", "\n\n", text).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipping += 1
        elif tag == "pre":
            self._preformatted += 1
            self._pieces.append("\n\n```\n")
        elif tag in _OPENINGS:
            self._pieces.append(_OPENINGS[tag])
        elif tag == "code" and not self._preformatted:
            self._pieces.append("`")
        elif tag == "a":
            self._links.append((dict(attrs).get("href") or "", len(self._pieces)))
        elif tag == "img" and dict(attrs).get("alt"):
            self._say(f"[image: {dict(attrs)['alt']}]")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipping = max(0, self._skipping - 1)
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
            self._pieces.append("\n```\n\n")
        elif tag in _CLOSINGS:
            self._pieces.append(_CLOSINGS[tag])
        elif tag == "code" and not self._preformatted:
            self._pieces.append("`")
        elif tag == "a" and self._links:
            self._close_link()

    def handle_data(self, data: str) -> None:
        self._say(data)

    def _say(self, text: str) -> None:
        if self._skipping:
            return
        if not self._preformatted:
            text = re.sub(r"\s+", " ", text)
            if not self._pieces or self._pieces[-1].endswith(("\n", " ")):
                text = text.removeprefix(" ")
        if text:
            self._pieces.append(text)

    def _close_link(self) -> None:
        address, start = self._links.pop()
        words = "".join(self._pieces[start:]).strip()
        if not words or self._skipping or address.startswith(("#", "javascript:")) or not address:
            return
        try:
            full = urljoin(self._base, address)
        except ValueError:
            return
        self._pieces[start:] = [f"[{words}]({full})"]
