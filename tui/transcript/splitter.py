"""Cuts Markdown into blocks while it is still being written, without reading twice what is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tui.transcript.blocks import (
    CODE_LINES,
    TABLE_ROWS,
    Block,
    Code,
    Heading,
    Item,
    Paragraph,
    Quote,
    Rule,
    Table,
    block_parser,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

_SPACES = re.compile(" *")
_HEAD_LINES = 2


@dataclass(slots=True)
class _Group:
    """The tokens of one top-level block, the lines it was written in, and whether it began earlier."""

    tokens: list[Token]
    lines: list[str]
    start: int
    continued: bool = False

    @property
    def kind(self) -> str:
        return self.tokens[0].type

    @property
    def items(self) -> list[Token]:
        return [token for token in self.tokens if token.level == 1 and token.type == "list_item_open"]


@dataclass(slots=True)
class _Fence:
    """Code whose end has not come; `lines` are those not yet handed out."""

    language: str
    marker: str
    indent: int
    lines: list[str] = field(default_factory=list[str])
    last: Code | None = None

    @classmethod
    def opened(cls, group: _Group) -> _Fence:
        token = group.tokens[0]
        words = token.info.split()
        return cls(words[0] if words else "", token.markup, _indent(group.lines[0]))

    def closed_by(self, line: str) -> bool:
        mark = line.strip()
        return (
            _indent(line) < 4
            and len(mark) >= len(self.marker)
            and mark == self.marker[0] * len(mark)
            and line.lstrip(" ").startswith(mark)
        )

    def take(self, line: str) -> Iterator[Code]:
        self.lines.append(line[min(self.indent, _indent(line)) :])
        if len(self.lines) == CODE_LINES:
            yield from self.piece()

    def piece(self) -> Iterator[Code]:
        if self.lines or self.last is None:
            self.last = Code(self.language, tuple(self.lines), self.last)
            self.lines = []
            yield self.last

    def copied(self) -> _Fence:
        return _Fence(self.language, self.marker, self.indent, self.lines.copy(), self.last)


class Splitter:
    """`feed` text, `settle` to get the blocks that no further text can change, `tail` for the rest as it
    looks now. What is settled depends on the text alone, never on how it was cut into pieces.

    Only whole lines settle anything: a line that is not finished may still become any other.
    """

    def __init__(self) -> None:
        self._rest: str = ""
        self._fence: _Fence | None = None
        # Set while the rest goes on with a table or a list of which a part was handed out.
        self._table: Table | None = None
        self._number: int | None = None

    def feed(self, text: str) -> None:
        self._rest += text

    def settle(self) -> list[Block]:
        found: list[Block] = []
        while "\n" in self._rest:
            inside = self._fence
            found += self._code_lines(inside) if inside else self._settled()
            # What stands behind the opening or the end of code is read the other way.
            if (inside is None) == (self._fence is None):
                break
        return found

    def tail(self) -> list[Block]:
        """Changes nothing: the same text may still be settled otherwise."""
        if self._fence is None:
            return [block for group in self._groups(self._rest) for block in self._blocks(group)]
        fence, found = self._fence.copied(), list[Block]()
        if self._rest and not fence.closed_by(self._rest):
            found += fence.take(self._rest)
        return [*found, *fence.piece()]

    def _code_lines(self, fence: _Fence) -> list[Block]:
        found: list[Block] = []
        *whole, unfinished = self._rest.split("\n")
        for number, line in enumerate(whole):
            if fence.closed_by(line):
                self._fence = None
                self._rest = "\n".join([*whole[number + 1 :], unfinished])
                return [*found, *fence.piece()]
            found += fence.take(line)
        self._rest = unfinished
        return found

    def _settled(self) -> list[Block]:
        end = self._rest.rindex("\n") + 1
        whole, unfinished = self._rest[:end], self._rest[end:]
        groups = self._groups(whole)
        if not groups:
            return []
        *done, last = groups
        found = [block for group in done for block in self._blocks(group)]
        if done:
            self._table, self._number = None, None
        more, left = self._opened(last)
        self._rest = "\n".join(left) + unfinished
        return found + more

    def _opened(self, group: _Group) -> tuple[list[Block], list[str]]:
        """What is settled of the last block, and the lines that are not."""
        match group.kind:
            case "fence":
                self._fence = _Fence.opened(group)
                return [], group.lines[1:]
            case "bullet_list_open" | "ordered_list_open":
                return self._opened_list(group)
            case "table_open":
                return self._opened_table(group)
            case _:
                return [], group.lines

    def _opened_list(self, group: _Group) -> tuple[list[Block], list[str]]:
        starts = [_span(item)[0] - group.start for item in group.items]
        if len(starts) == 1:
            return [], group.lines
        *found, last = _items(group, self._number)
        self._number = last.number if last.number is not None else 0
        return list(found), group.lines[starts[-1] :]

    def _opened_table(self, group: _Group) -> tuple[list[Block], list[str]]:
        rows = _rows(group)
        count = len(rows) // TABLE_ROWS * TABLE_ROWS
        if not count:
            return [], group.lines[_HEAD_LINES:] if group.continued else group.lines
        pieces = _pieces(group, rows[:count], self._table)
        self._table = self._table or pieces[0]
        return list[Block](pieces), group.lines[_HEAD_LINES + count :]

    def _groups(self, text: str) -> list[_Group]:
        """Rows are rows only under the head of their table, so that is read again with them."""
        if self._table:
            text = f"{self._table.head}\n{text}"
        lines = text.split("\n")
        groups: list[_Group] = []
        for token in block_parser().parse(text):
            if token.level == 0 and token.nesting >= 0:
                start, end = _span(token)
                groups.append(_Group([], lines[start:end], start))
            groups[-1].tokens.append(token)
        if groups:
            groups[0].continued = self._table is not None or self._number is not None
            groups[-1].lines = lines[groups[-1].start :]
        return groups

    def _blocks(self, group: _Group) -> list[Block]:
        match group.kind:
            case "fence":
                return _fenced(group)
            case "table_open":
                return list[Block](_pieces(group, _rows(group), self._table if group.continued else None))
            case "bullet_list_open" | "ordered_list_open":
                return list[Block](_items(group, self._number if group.continued else None))
            case _:
                return [_simple(group)]


def split(text: str) -> list[Block]:
    """The same for a text that is whole."""
    splitter = Splitter()
    splitter.feed(text)
    return splitter.settle() + splitter.tail()


def codes(text: str) -> list[str]:
    """Each piece of code in it as it was written."""
    pieces: list[list[str]] = []
    for block in split(text):
        if isinstance(block, Code):
            if block.previous is None:
                pieces.append([])
            pieces[-1] += block.lines
    return ["\n".join(lines) for lines in pieces]


def _simple(group: _Group) -> Block:
    opening = group.tokens[0]
    match group.kind:
        case "heading_open":
            return Heading(int(opening.tag[1]), group.tokens[1].content)
        case "hr":
            return Rule()
        case "code_block":
            return Code("", tuple(opening.content.removesuffix("\n").split("\n")))
        case "blockquote_open":
            return Quote("\n".join(group.lines).rstrip("\n"))
        case _:
            return Paragraph(group.tokens[1].content)


def _fenced(group: _Group) -> list[Block]:
    fence, found = _Fence.opened(group), list[Block]()
    lines = group.lines[1 : _span(group.tokens[0])[1] - group.start]
    for line in lines:
        if fence.closed_by(line):
            break
        found += fence.take(line)
    return [*found, *fence.piece()]


def _items(group: _Group, number: int | None) -> list[Item]:
    opening = group.tokens[0]
    ordered = group.kind == "ordered_list_open"
    first = number if number is not None else int(opening.attrGet("start") or 1)
    found: list[Item] = []
    for index, token in enumerate(group.items):
        start, end = (line - group.start for line in _span(token))
        source = "\n".join(group.lines[start:end]).rstrip("\n ")
        joined = index > 0 or number is not None
        found.append(Item(source, first + index if ordered else None, joined))
    return found


def _rows(group: _Group) -> list[str]:
    start, end = _span(group.tokens[0])
    return group.lines[_HEAD_LINES : end - start]


def _pieces(group: _Group, rows: list[str], first: Table | None) -> list[Table]:
    head = "\n".join(group.lines[:_HEAD_LINES])
    found: list[Table] = []
    for start in range(0, max(len(rows), 0 if first else 1), TABLE_ROWS):
        piece = Table(head, tuple(rows[start : start + TABLE_ROWS]), first)
        first = first or piece
        found.append(piece)
    return found


def _span(token: Token) -> tuple[int, int]:
    assert token.map
    return token.map[0], token.map[1]


def _indent(line: str) -> int:
    spaces = _SPACES.match(line)
    assert spaces
    return spaces.end()
