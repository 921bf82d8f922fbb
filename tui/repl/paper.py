"""Turns what is to be said into lines for this terminal: its width, its colours, its letters."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from copy import copy
from io import StringIO

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import Heading, HorizontalRule, Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from store.frozen import frozen
from tui.clipping import clipped
from tui.escapes import in_ascii
from tui.repl.blocks import Block, Code
from tui.repl.palette import Palette
from tui.repl.spoken import spoken

NARROWEST = 20
# Longer lines are tiring to read, whatever the window allows.
WIDEST = 110
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_COLOURED_BLANKS = re.compile(r"\x1b\[[0-9;]*m *\x1b\[0m$")


@frozen
class Abilities:
    """What may be sent: colours, weights such as bold, letters beyond ASCII. `spoken` is read out."""

    colour: bool
    styled: bool
    unicode: bool
    spoken: bool = False


class Paper:
    """Whatever it is given must have gone through the escape filter; what it adds are colours and weights."""

    def __init__(self, abilities: Abilities, palette: Palette, width: Callable[[], int]) -> None:
        self.abilities = abilities
        self.palette = palette
        self._width = width
        self._theme = Theme(_markdown_styles(palette))
        # Each new one would make a parser of its own, which costs more than the text.
        self._markdown = _Markdown("", hyperlinks=False)
        self._parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])

    @property
    def width(self) -> int:
        return max(NARROWEST, self._width())

    def block(self, block: Block) -> str:
        shown = self._code(block) if isinstance(block, Code) else self.prose(block.source, block.indent)
        return ("\n" if block.gap and shown else "") + shown

    def prose(self, source: str, indent: int = 0) -> str:
        if self.abilities.spoken:
            return self.spelled(textwrap.indent(spoken(self._parser.parse(source)), " " * indent))
        if not self.abilities.styled:
            return self.spelled(source.rstrip() + "\n")
        markdown = copy(self._markdown)
        markdown.parsed = self._parser.parse(source)
        shown = self.show(Padding(markdown, (0, 0, 0, indent)), width=min(self.width, WIDEST))
        return _trimmed(shown)

    def _code(self, block: Code) -> str:
        if not self.abilities.styled:
            begins = self.abilities.spoken and not block.before
            named = f"{block.language} code:\n".lstrip() if begins else ""
            return self.spelled(f"{named}    {block.line}\n")
        syntax = Syntax("", block.language or "text", theme=self.palette.code, background_color="default")
        before = len(block.before)
        coloured = syntax.highlight("\n".join([*block.before, block.line])).split("\n")
        line = coloured[before] if before < len(coloured) else Text(block.line)
        margin = " " * (2 + block.indent)
        # Code is never broken: a long line goes on at the edge as the terminal breaks it.
        return self.show(Text(margin) + line, breaking=False)

    def show(self, what: RenderableType, *, width: int | None = None, breaking: bool = True) -> str:
        """With its last line break."""
        out = StringIO()
        abilities = self.abilities
        console = Console(
            file=out,
            width=width or self.width,
            force_terminal=abilities.styled,
            color_system="standard" if abilities.styled else None,
            no_color=not abilities.colour,
            theme=self._theme,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        # Those who listen, and pipes, want lines as they are.
        console.print(what, soft_wrap=not breaking or not abilities.styled)
        lines = [_unfilled(line) for line in out.getvalue().split("\n")]
        return self.spelled("\n".join(lines))

    def hanging(self, first: Text, rest: Text) -> RenderableType:
        """A line that, where it has to be broken, goes on below where `rest` began.

        Both are spelled already: signs may take more room where they have to be spelled.
        """
        if not self.abilities.styled:
            return first + rest
        grid = Table.grid()
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(first, rest)
        return grid

    def clipped(self, line: str, room: int) -> str:
        return clipped(self.spelled(line), room, self.spelled("…"))

    def spelled(self, text: str) -> str:
        """With the letters this terminal has."""
        return text if self.abilities.unicode else in_ascii(text)


def _unfilled(line: str) -> str:
    """Without the blanks that go on to the edge, coloured as they may be."""
    shorter = line.rstrip()
    while (rest := _COLOURED_BLANKS.sub("", shorter).rstrip()) != shorter:
        shorter = rest
    return shorter


def _trimmed(shown: str) -> str:
    """Without the empty lines that a table or a list brings along, coloured as they may be."""
    lines = shown.split("\n")
    filled = [at for at, line in enumerate(lines) if _COLOURS.sub("", line).strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) + "\n" if filled else ""


class _LeftHeading(Heading):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        del console, options
        self.text.justify = "left"
        yield self.text


class _ThinRule(HorizontalRule):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        del options
        yield Rule(style=console.get_style("markdown.hr"))


class _Markdown(Markdown):
    elements = Markdown.elements | {"heading_open": _LeftHeading, "hr": _ThinRule}


def _markdown_styles(palette: Palette) -> dict[str, str]:
    return {
        "markdown.h1": f"bold {palette.accent}",
        "markdown.h2": f"bold {palette.accent}",
        "markdown.h3": "bold",
        "markdown.h4": "bold",
        "markdown.code": palette.accent,
        "markdown.code_block": palette.accent,
        "markdown.block_quote": palette.faint,
        "markdown.item.bullet": palette.accent,
        "markdown.item.number": palette.accent,
        "markdown.hr": palette.faint,
        "markdown.link": "underline",
        "markdown.link_url": palette.faint,
        "markdown.table.border": palette.faint,
        "markdown.table.header": "bold",
    }
