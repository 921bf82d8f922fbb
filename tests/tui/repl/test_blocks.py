import random

import pytest

from tui.repl.blocks import Block, Blocks, Code, Prose

SAMPLE = """# Title
A paragraph
of two lines.

- one
- two
  and more
  - nested

1. first

   belongs to first

```python
def f():

    return 1
```

| a | b |
|---|---|
| 1 | 2 |

> quoted
---
last"""


def cut(text: str, sizes: list[int]) -> list[Block]:
    blocks, found = Blocks(), list[Block]()
    for size in sizes:
        found += blocks.feed(text[:size])
        text = text[size:]
    return [*found, *blocks.feed(text), *blocks.end()]


def test_pieces_are_the_same_however_the_text_arrives():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    whole = cut(SAMPLE, [])

    for _ in range(200):
        assert cut(SAMPLE, [rng.randint(0, 9) for _ in range(60)]) == whole


def test_a_heading_an_item_and_a_line_of_code_are_given_out_as_soon_as_they_are_whole():
    blocks = Blocks()

    assert blocks.feed("# Title\n") == [Prose("# Title", True)]
    assert blocks.feed("- one\n") == []
    assert blocks.feed("- two\n") == [Prose("- one", True)]
    assert blocks.feed("```py\nx = 1\n")[0] == Prose("- two", False)
    assert blocks.feed("y = 2\n") == [Code("y = 2", ("x = 1",), "py", False, 0)]


def test_what_is_not_finished_can_still_be_shown():
    blocks = Blocks()

    blocks.feed("done\n\nhalf a sen")

    assert blocks.pending == "half a sen"


def test_a_table_is_one_piece():
    found = [block for block in cut(SAMPLE, []) if isinstance(block, Prose) and "|" in block.source]

    assert [block.source.count("\n") for block in found] == [2]


def test_what_belongs_to_an_item_is_indented_below_it():
    found = [block for block in cut(SAMPLE, []) if isinstance(block, Prose) and "belongs" in block.source]

    assert found == [Prose("belongs to first", True, 2)]


@pytest.mark.parametrize("text", ["```\nnever closed", "~~~\n```\nx", "- \n", "\n\n\n", "#", "a\n===\n"])
def test_nothing_that_was_written_is_lost(text: str):
    given = "".join(text.split())
    shown = "".join(
        "".join((block.source if isinstance(block, Prose) else block.line).split()) for block in cut(text, [])
    )

    assert set(given) - set("`~") <= set(shown) | set("`~")
