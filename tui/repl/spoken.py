"""Markdown as plain lines for those who listen: its words, without the signs that a voice would read out."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

_INDENT = "  "


def spoken(tokens: Sequence[Token]) -> str:
    """Headings stand alone, items begin with a dash or their number, cells are said with their headline."""
    lines = _Lines()
    for token in tokens:
        lines.take(token)
    return "".join(f"{line}\n" for line in lines.found)


class _Lines:
    def __init__(self) -> None:
        self.found: list[str] = []
        self._depth = 0
        # What stands before the next words.
        self._mark = ""
        self._headline: list[str] = []
        # The cells of a row that is not whole; None outside of tables.
        self._row: list[str] | None = None

    def take(self, token: Token) -> None:
        match token.type:
            case "list_item_open":
                self._depth += 1
                self._mark += f"{token.info}. " if token.info else "- "
            case "list_item_close":
                self._depth -= 1
            case "blockquote_open":
                self._mark += "quote: "
            case "inline" if self._row is not None:
                self._row.append(_words(token.children or []))
            case "inline":
                self._add(_words(token.children or []))
            case "code_block" | "fence":
                self._add("code:")
                self._add("\n".join(f"    {line}" for line in token.content.rstrip("\n").split("\n")))
            case _:
                self._tabulate(token)

    def _tabulate(self, token: Token) -> None:
        match token.type:
            case "tr_open":
                self._row = []
            case "thead_close":
                self._headline = self._row or []
            case "table_close":
                self._row, self._headline = None, []
            case "tr_close" if self._headline:
                pairs = zip(self._headline, self._row or [], strict=False)
                self._add(", ".join(": ".join(filter(None, pair)) for pair in pairs))
            case _:
                pass

    def _add(self, text: str) -> None:
        margin = _INDENT * (self._depth - 1 if self._mark else self._depth)
        first, *rest = text.split("\n")
        self.found.append(f"{margin}{self._mark}{first}")
        self.found += [f"{_INDENT * self._depth}{line}" for line in rest]
        self._mark = ""


def _words(tokens: Sequence[Token]) -> str:
    said: list[str] = []
    addresses: list[tuple[str, int]] = []
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                said.append("\n")
            case "link_open":
                addresses.append((str(token.attrGet("href") or ""), len(said)))
            case "link_close" if addresses:
                address, begin = addresses.pop()
                if address.removeprefix("mailto:") != "".join(said[begin:]):
                    said.append(f" ({address})")
            case "image":
                said.append(f"picture: {token.content}")
            case _:
                said.append(token.content)
    return "".join(said)
