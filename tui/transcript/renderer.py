"""Draws blocks of Markdown as strips: a pure function of block, width and ink."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, assert_never

from rich.cells import cell_len
from textual.strip import Strip

from tui.escapes import in_ascii
from tui.transcript.blocks import Block, Code, Heading, Item, Paragraph, Quote, Rule, Table, block_parser
from tui.transcript.highlight import START, State, highlight
from tui.transcript.ink import Ink
from tui.transcript.inline import inline
from tui.transcript.tables import table_lines
from tui.transcript.wrapping import MEASURE, Line, Run, hang, padded, strip, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

GUTTER = 2
TAB = 4
_TASK = re.compile(r"\[([ xX])\](?:\s|$)")


def render(block: Block, width: int, ink: Ink, role: str = "text", fill: str = "page") -> list[Strip]:
    return strips(block_lines(block, max(1, width - 2 * GUTTER), ink, role, fill), width, ink, fill)


def strips(lines: Sequence[Line], width: int, ink: Ink, fill: str = "page") -> list[Strip]:
    """The lines with a margin on either side, which is not copied with them."""
    room = ink.room(fill)
    margin = " " * min(GUTTER, width)
    return [strip([(margin, ink.gutter(line.joint, fill=fill)), *line.runs], width, room) for line in lines]


def block_lines(block: Block, width: int, ink: Ink, role: str = "text", fill: str = "page") -> list[Line]:
    measure = min(width, MEASURE)
    match block:
        case Heading():
            return _heading(block.level, block.text, measure, ink, fill)
        case Paragraph():
            return wrap(inline(block.text, ink, role, fill), measure)
        case Rule():
            return [_rule(measure, ink, fill)]
        case Quote():
            return _Nested(ink, fill, role).lines(block_parser().parse(block.source), measure)
        case Item():
            tokens = block_parser().parse(block.source)
            return _Nested(ink, fill, role, block.number).lines(tokens, measure)
        case Code():
            return _code(block, width, ink)
        case Table():
            return table_lines(block, width, ink, fill)
        case _:
            assert_never(block)


def widened(block: Block) -> bool:
    """Whether it makes the code it goes on with wider than that was drawn."""
    if not isinstance(block, Code) or block.extent.wide:
        return False
    block.extent.wide = any(cell_len(line) > MEASURE - 2 for line in _expanded(block.lines))
    return block.extent.wide and block.joined


def _code(block: Code, width: int, ink: Ink) -> list[Line]:
    """Highlighted lines on a fill, one cell in, up to the measure, or all of them beyond if one needs it."""
    widened(block)
    pieces, block.ended = highlight(block.language, _expanded(block.lines), _state_before(block))
    room = ink.room("code")
    edge = width if block.extent.wide else min(width, MEASURE)
    lines: list[Line] = []
    for line in pieces or [[]]:
        runs = [(_shown(text, ink), ink.style(role, "code")) for role, text in line]
        for indent, part in hang(runs, width - 2):
            front = (f" {indent}", ink.gutter(part.joint, fill="code"))
            lines.append(Line(padded([front, *part.runs], edge, room), part.joint))
    return lines


def _state_before(block: Code) -> State:
    """Usually the piece before was drawn first; after a jump into the middle the way there is made good."""
    behind: list[Code] = []
    piece = block.previous
    while piece and piece.ended is None:
        behind.append(piece)
        piece = piece.previous
    for each in reversed(behind):
        before = each.previous.ended if each.previous else None
        each.ended = highlight(each.language, _expanded(each.lines), before or START)[1]
    return (block.previous.ended if block.previous else None) or START


def _expanded(lines: Sequence[str]) -> list[str]:
    return [line.expandtabs(TAB) for line in lines]


def _shown(text: str, ink: Ink) -> str:
    return in_ascii(text) if ink.glyphs.ascii else text


def _heading(level: int, text: str, width: int, ink: Ink, fill: str) -> list[Line]:
    if level == 1:
        return wrap(inline(text, ink, "heading", fill, "bold", "underline"), width)
    return wrap(inline(text, ink, "heading" if level < 4 else "dim", fill, "bold"), width)


def _rule(width: int, ink: Ink, fill: str) -> Line:
    return Line([(ink.glyphs.rule * width, ink.style("rule", fill))])


class _Nested:
    """Blocks inside lists and quotes; each level draws its sign in front of the lines of the next."""

    def __init__(self, ink: Ink, fill: str, role: str, number: int | None = None) -> None:
        self._ink = ink
        self._fill = fill
        self._role = role
        self._number = number
        self._depth = 0

    def lines(self, tokens: Sequence[Token], width: int) -> list[Line]:
        found: list[Line] = []
        before = ""
        for group in _groups(tokens):
            kind = group[0].type
            # Text and the list below it belong together; two paragraphs need air.
            if before == kind == "paragraph_open":
                found.append(Line([]))
            found += self._block(group, max(1, width))
            before = kind
        return found

    def _block(self, group: list[Token], width: int) -> list[Line]:
        opening = group[0]
        match opening.type:
            case "blockquote_open":
                return self._quote(group[1:-1], width)
            case "bullet_list_open" | "ordered_list_open":
                return self._list(group, width)
            case "heading_open":
                return _heading(int(opening.tag[1]), group[1].content, width, self._ink, self._fill)
            case "hr":
                return [_rule(width, self._ink, self._fill)]
            case "fence" | "code_block":
                language = (opening.info.split() or [""])[0]
                lines = tuple(opening.content.removesuffix("\n").split("\n"))
                return _code(Code(language, lines), width, self._ink)
            case "table_open":
                return self._table(group, width)
            case _:
                return wrap(inline(group[1].content, self._ink, self._role, self._fill), width)

    def _quote(self, tokens: Sequence[Token], width: int) -> list[Line]:
        inner = _Nested(self._ink, self._fill, "dim").lines(tokens, width - 2)
        bar = self._ink.glyphs.quote + " "
        return [
            Line([(bar, self._ink.gutter(line.joint, "rule", self._fill)), *line.runs], line.joint)
            for line in inner
        ]

    def _list(self, group: list[Token], width: int) -> list[Line]:
        ordered = group[0].type == "ordered_list_open"
        first = int(group[0].attrGet("start") or 1)
        if self._number is not None:
            first, self._number = self._number, None
        items = list(_groups(group[1:-1]))
        signs = [f"{first + index}." for index in range(len(items))] if ordered else self._bullets(items)
        room = max(map(len, signs), default=1) + 1
        self._depth += 1
        found = [
            line
            for sign, item in zip(signs, items, strict=True)
            for line in self._listed(sign.rjust(room - 1), item[1:-1], width, room)
        ]
        self._depth -= 1
        return found

    def _bullets(self, items: Sequence[object]) -> list[str]:
        bullets = self._ink.glyphs.bullets
        return [bullets[min(self._depth, len(bullets) - 1)]] * len(items)

    def _listed(self, sign: str, tokens: list[Token], width: int, room: int) -> Iterator[Line]:
        look = "accent" if self._depth == 1 else "dim"
        sign, look = self._task(tokens, sign, look)
        inner = self.lines(tokens, width - room)
        indent = " " * room
        for number, line in enumerate(inner or [Line([])]):
            if number == 0:
                front: Run = (f"{sign} ", self._ink.style(look, self._fill))
            elif _written(line):
                front = (indent, self._ink.style("text", self._fill))
            else:
                front = (indent, self._ink.gutter(line.joint, fill=self._fill))
            yield Line([front, *line.runs], line.joint)

    def _task(self, tokens: list[Token], sign: str, look: str) -> tuple[str, str]:
        text = tokens[1] if len(tokens) > 1 and tokens[0].type == "paragraph_open" else None
        task = _TASK.match(text.content) if text else None
        if text is None or task is None:
            return sign, look
        text.content = text.content[task.end() :]
        done = task[1] != " "
        glyph = self._ink.glyphs.done if done else self._ink.glyphs.open
        return glyph.rjust(len(sign)), "ok" if done else "dim"

    def _table(self, group: list[Token], width: int) -> list[Line]:
        rows: list[list[str]] = []
        for token in group:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token.content.replace("|", "\\|"))
        written = [f"| {' | '.join(row)} |" for row in rows]
        head = f"{written[0]}\n|{'---|' * len(rows[0])}"
        return table_lines(Table(head, tuple(written[1:])), width, self._ink, self._fill)


def _written(line: Line) -> bool:
    """Whether its indent is part of it: not where a line is wrapped, or has an edge as code and quotes do."""
    return line.joint == "\n" and bool(line.runs) and "gutter" not in line.runs[0][1].meta


def _groups(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The blocks of one level, each with all that is inside it."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []
