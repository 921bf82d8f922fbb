"""Cuts Markdown that is still being written into pieces that can be printed once and never again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from store.frozen import frozen

_FENCE = re.compile(r"( *)(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_ITEM = re.compile(r" {0,1}(?:[-*+]|\d{1,9}[.)])\s")
_HEADING = re.compile(r" {0,3}#{1,6}(\s|$)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")


@frozen
class Prose:
    """`gap` says whether an empty line goes before it; `indent` that it belongs to a list item above."""

    source: str
    gap: bool
    indent: int = 0


@frozen
class Code:
    """A line inside a fence, with the lines before it, which decide how it is coloured."""

    line: str
    before: tuple[str, ...]
    language: str
    gap: bool
    indent: int = 0


Block = Prose | Code


@dataclass(slots=True)
class _Fence:
    marker: str
    indent: int
    language: str
    in_list: bool
    lines: list[str]


class Blocks:
    """Fed with text as it comes; gives out what no later text can change."""

    def __init__(self) -> None:
        self._line = ""
        self._lines: list[str] = []
        self._fence: _Fence | None = None
        self._gap = False
        self._in_list = False

    @property
    def pending(self) -> str:
        """What was written but is not finished, for whoever can show it and take it back."""
        return "\n".join([*self._lines, self._line])

    @property
    def in_code(self) -> bool:
        return self._fence is not None

    def feed(self, text: str) -> list[Block]:
        *whole, self._line = (self._line + text).split("\n")
        return [block for line in whole for block in self._take(line)]

    def end(self) -> list[Block]:
        """Nothing more comes: the rest is as finished as it will be."""
        rest = self.feed("\n") if self._line else []
        self._fence = None
        rest += self._flush()
        self._gap = self._in_list = False
        return rest

    def _take(self, line: str) -> list[Block]:
        if self._fence is not None:
            return self._in_fence(self._fence, line)
        opened = _FENCE.match(line)
        if opened:
            before = self._flush()
            inside = self._in_list and bool(opened[1])
            self._fence = _Fence(opened[2], len(opened[1]), opened[3], inside, [])
            return before
        if not line.strip():
            before = self._flush()
            self._gap = True
            return before
        if _HEADING.match(line):
            before = self._flush()
            self._lines = [line]
            self._gap, self._in_list = True, False
            finished = [*before, *self._flush()]
            self._gap = True
            return finished
        starts_item = bool(_ITEM.match(line)) and not _RULE.match(line)
        before = self._flush() if starts_item else []
        self._in_list = starts_item or (self._in_list and (line.startswith("  ") or bool(self._lines)))
        self._lines.append(line)
        return before

    def _in_fence(self, fence: _Fence, line: str) -> list[Block]:
        stripped = line.strip()
        if stripped.startswith(fence.marker) and set(stripped) == {fence.marker[0]}:
            self._fence = None
            self._gap = True
            return []
        indent = min(fence.indent, len(line) - len(line.lstrip(" ")))
        shown = line[indent:]
        # Some lines of context are enough to colour by, and keep long blocks cheap.
        code = Code(shown, tuple(fence.lines[-100:]), fence.language, self._gap, 2 if fence.in_list else 0)
        fence.lines.append(shown)
        self._gap = False
        return [code]

    def _flush(self) -> list[Block]:
        if not self._lines:
            return []
        lines, self._lines = self._lines, []
        indent = 0
        if self._in_list and all(line.startswith("  ") for line in lines):
            indent = 2
            lines = [line.strip() for line in lines]
        prose = Prose("\n".join(lines), self._gap, indent)
        self._gap = False
        return [prose]
