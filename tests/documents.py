"""Random Markdown, mostly of the pieces that change their meaning with the next line, cut anywhere."""

import random
from collections.abc import Iterator

from tui.theme import load_theme
from tui.transcript.blocks import Block, joined
from tui.transcript.ink import Ink
from tui.transcript.renderer import render
from tui.transcript.splitter import Splitter, split

_INK = Ink(load_theme())
LINES = (
    "plain words in a row",
    "a *slanted* and **bold** line with `code` and a [link](https://example.org/a)",
    "# heading",
    "### deeper heading ###",
    "- item",
    "* star item",
    "+ plus",
    "1. first",
    "2. second",
    "7) seventh",
    "- [ ] open task",
    "- [x] done task",
    "  - nested item",
    "    - nested deeper",
    "  continuation of an item",
    "   three spaces",
    "    four spaces",
    "\ttab",
    " - indented item",
    "  - two in",
    "   - three in",
    "> quote",
    ">> quote in quote",
    "> - item in quote",
    "```",
    "```python",
    "~~~",
    "````md",
    "  ```js",
    "def f(x): return 'y'",
    '"""doc',
    "/* comment",
    "| a | b |",
    "|---|:-:|",
    "| one | two |",
    "a | b",
    "--|--",
    "---",
    "***",
    "===",
    "-",
    "--",
    "3",
    "3.",
    "*",
    "",
    "",
    "",
    " ",
    "[ref]: https://example.org",
    "<div>",
    "日本語のテキスト 👍🏽 e\u0301",
    "a\\",
    "trailing spaces  ",
    "&#27;[31m &amp; &lt;",
    "https://example.org/path?x=1",
    "x" * 200,
)


def document(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return long_document(rng)
    count = rng.randint(1, 30)
    pool = rng.sample(LINES, rng.randint(2, len(LINES)))
    text = "\n".join(rng.choice(pool) for _ in range(count))
    return text + rng.choice(("", "\n", "\n\n"))


def long_document(rng: random.Random) -> str:
    """Longer than the steps in which code and tables are drawn."""
    count = rng.randint(20, 120)
    body = {
        "code": ["```python", *(rng.choice(LINES[:30]).replace("`", "") for _ in range(count)), "```"],
        "table": ["| a | b |", "|---|---|", *(f"| {n} | {'x' * rng.randint(0, 30)} |" for n in range(count))],
        "list": [f"{n}. item {n}" for n in range(count)],
    }
    pieces = [body[rng.choice(list(body))] for _ in range(rng.randint(1, 3))]
    gaps = [["", rng.choice(LINES)], [], [rng.choice(LINES), ""]]
    return "\n".join(line for piece in pieces for line in [*piece, *rng.choice(gaps)])


def chunks(rng: random.Random, text: str) -> Iterator[str]:
    longest = rng.choice((1, 2, 5, 20, 100))
    while text:
        size = rng.randint(1, longest)
        yield text[:size]
        text = text[size:]


def drawn(text: str, width: int) -> list[str]:
    """What stands on the screen, colours and all."""
    return _shown(split(text), width)


def drawn_in_pieces(parts: list[str], width: int) -> list[str]:
    splitter = Splitter()
    settled: list[Block] = []
    for part in parts:
        splitter.feed(part)
        settled += splitter.settle()
        splitter.tail()
    return _shown(settled + splitter.tail(), width)


def _shown(blocks: list[Block], width: int) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        if not joined(block):
            lines.append("")
        lines += ["".join(f"{text}{style}" for text, style, _ in row) for row in render(block, width, _INK)]
    return lines
