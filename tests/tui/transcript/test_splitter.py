import random
import subprocess
import sys

import pytest

from tests.documents import chunks, document, drawn, drawn_in_pieces
from tui.transcript.blocks import CODE_LINES, TABLE_ROWS, Code, Heading, Item, Paragraph, Quote, Rule, Table
from tui.transcript.splitter import Splitter, codes, split


def test_random_documents_in_random_pieces_are_drawn_as_in_one_go():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    for _ in range(150):
        text = document(rng)
        parts = list(chunks(rng, text))

        assert drawn_in_pieces(parts, 60) == drawn(text, 60), (text, parts)


def test_a_text_is_cut_into_its_blocks():
    blocks = split("# One\n\nwords\nmore\n\n> said\n\n---\n\n- a\n- b\n\n```py\nx = 1\n```\n\n    indented\n")

    assert blocks == [
        Heading(1, "One"),
        Paragraph("words\nmore"),
        Quote("> said"),
        Rule(),
        Item("- a", None, joined=False),
        Item("- b", None, joined=True),
        Code("py", ("x = 1",)),
        Code("", ("indented",)),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("words\n", "===\n"),
        ("words\n\n3", ". item\n"),
        ("- a\n-", "--\n"),
        ("foo\n| a | b |\n|---|-", "x\n"),
        ("words\n\n```", "`inline`\n"),
    ],
)
def test_an_unfinished_line_settles_nothing_before_it(before: str, after: str):
    splitter = Splitter()
    splitter.feed(before)
    settled = splitter.settle()
    splitter.feed(after)
    settled += splitter.settle()

    assert settled + splitter.tail() == split(before + after)


@pytest.mark.parametrize(
    "text",
    ["- a\n - b\n  - c\n   - d\n    - e\n     - f\n", "1. a\n  2. b\n   3. c\n    4. d\n     5. e\n"],
)
def test_an_item_indented_otherwise_is_read_among_its_neighbours(text: str):
    splitter = Splitter()
    settled: list[object] = []
    for line in text.splitlines(keepends=True):
        splitter.feed(line)
        settled += splitter.settle()

    assert settled + splitter.tail() == split(text)


def test_long_code_settles_in_pieces_that_know_what_came_before():
    first, second, third = split("```c\n" + "x;\n" * (2 * CODE_LINES + 1))

    assert isinstance(third, Code)
    assert third.previous == second
    assert third.lines == ("x;",)
    assert isinstance(first, Code)
    assert not first.joined


def test_rows_below_the_first_piece_of_a_table_keep_its_head():
    text = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (TABLE_ROWS + 2) + "\nafter\n"

    first, second, after = split(text)

    assert isinstance(first, Table)
    assert second == Table(first.head, ("| 1 | 2 |",) * 2, first)
    assert after == Paragraph("after")


def test_a_list_cut_by_a_stream_goes_on_counting():
    splitter = Splitter()
    settled: list[object] = []
    for line in ("5. five\n", "5. six\n", "9. seven\n"):
        splitter.feed(line)
        settled += splitter.settle()

    assert [item.number for item in [*settled, *splitter.tail()] if isinstance(item, Item)] == [5, 6, 7]


def test_the_splitter_needs_no_textual():
    script = "import sys, tui.transcript.splitter as s; s.split('# a'); print('textual' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def test_the_code_of_a_text_is_found_however_long_it_is():
    long = "\n".join(f"x = {number}" for number in range(100))

    assert codes(f"words\n\n```py\n{long}\n```\n\n`no`\n\n```\ny\n```") == [long, "y"]
