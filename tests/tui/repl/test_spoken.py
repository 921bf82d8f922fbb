"""Whoever listens hears words, and not the signs between them."""

import pytest

from tests.tui.repl.papers import paper
from tui.repl.blocks import Blocks


def heard(text: str) -> str:
    blocks = Blocks()
    listened = paper(styled=False, spoken=True)
    return "".join(map(listened.block, [*blocks.feed(text), *blocks.end()]))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Some **bold**, *leaning* and ~~old~~ `code`.", "Some bold, leaning and old code.\n"),
        ("# One\ntext\n\n## Two\nmore", "\nOne\n\ntext\n\nTwo\n\nmore\n"),
        (
            "* one\n* **two**\n  - below\n\n1. first\n2) second",
            "- one\n- two\n  - below\n\n1. first\n2. second\n",
        ),
        (
            "see [the page](https://x.example/a) or <https://y.example>",
            "see the page (https://x.example/a) or https://y.example\n",
        ),
        ("```python\nif x:\n    **y\n```\nafter", "python code:\n    if x:\n        **y\n\nafter\n"),
        ("```\nls\n```", "code:\n    ls\n"),
        (
            "| name | size |\n|---|---|\n| a.py | **3** |\n| b.py | |",
            "name: a.py, size: 3\nname: b.py, size\n",
        ),
        ("> quoted *words*", "quote: quoted words\n"),
        ("one\n\n---\n\ntwo", "one\n\ntwo\n"),
        ("![a cat](cat.png)", "picture: a cat\n"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name\n"),
        ("- item\n\n  its second paragraph\n", "- item\n\n  its second paragraph\n"),
    ],
)
def test_markdown_is_said_in_words(written: str, said: str):
    assert heard(written) == said


def test_signs_are_left_to_a_pipe():
    blocks = Blocks()

    shown = "".join(map(paper(styled=False).block, [*blocks.feed("**bold**"), *blocks.end()]))

    assert shown == "**bold**\n"
