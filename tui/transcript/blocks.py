"""The pieces a Markdown text is cut into: small enough to draw alone, whole enough to be drawn right."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from store.frozen import frozen

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Long code and long tables are drawn in steps of this many lines, so that a stream costs the same at its end.
CODE_LINES = 32
TABLE_ROWS = 24


@frozen
class Heading:
    level: int
    text: str


@frozen
class Paragraph:
    text: str


@frozen
class Rule:
    pass


@frozen
class Quote:
    source: str


@frozen
class Item:
    """One item of a top-level list with all that is nested in it; `number` is None for bullets."""

    source: str
    number: int | None
    joined: bool


@dataclass(slots=True)
class Extent:
    """Whether any line of a whole piece of code, as far as it has come, is longer than lines should be."""

    wide: bool = False


@dataclass(slots=True)
class Code:
    """Some lines of one piece of code; highlighting goes on where `previous` ended.

    `ended` is where this one ended, once somebody has found out.
    """

    language: str
    lines: tuple[str, ...]
    previous: Code | None = None
    ended: tuple[str, ...] | None = field(default=None, compare=False, repr=False)
    extent: Extent = field(default_factory=Extent, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.previous:
            self.extent = self.previous.extent

    @property
    def joined(self) -> bool:
        return self.previous is not None


@frozen
class Table:
    """Some rows of one table, as they were written; the columns are as wide as in the `first` piece."""

    head: str
    rows: tuple[str, ...]
    first: Table | None = None

    @property
    def joined(self) -> bool:
        return self.first is not None


Block = Heading | Paragraph | Rule | Quote | Item | Code | Table


def joined(block: Block) -> bool:
    """Whether it goes on directly below the block before it."""
    return isinstance(block, Item | Code | Table) and block.joined


@cache
def block_parser() -> MarkdownIt:
    """Finds blocks and leaves what is inside a line unread.

    References are off: a piece drawn early cannot know what is defined later.
    """
    # Costs 30 ms.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
