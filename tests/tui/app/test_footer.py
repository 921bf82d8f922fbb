from dataclasses import replace

import pytest

from tests.tui.app.still import BUSY
from tui.theme import load_theme
from tui.transcript.ink import Ink
from tui.widgets.footer import Footer, Place

PLACE = Place("~/code/long/way/to/the/shop", "main", "accept-edits", 2.0)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (
            140,
            (
                "build · accept-edits mode · ~/code/long/way/to/the/shop:main"
                " | wakes 2/25 · $0.42 of 2.00 · context 23 % · anthropic/claude-sonnet-4-5"
            ),
        ),
        (
            110,
            (
                "build · accept-edits mode · shop:main"
                " | wakes 2/25 · $0.42 of 2.00 · context 23 % · claude-sonnet-4-5"
            ),
        ),
        (90, "build · accept-edits mode · shop | $0.42 of 2.00 · context 23 % · claude-sonnet-4-5"),
        (60, "build · accept-edits mode | $0.42 of 2.00 · context 23 %"),
        (52, "accept-edits mode | $0.42 of 2.00 · context 23 %"),
        (20, "accept-edits mode"),
    ],
)
def test_path_and_model_give_way_before_money_and_context(width: int, shown: str):
    assert drawn(width) == shown


@pytest.mark.parametrize("width", range(1, 150))
def test_the_line_never_breaks(width: int):
    assert len(drawn(width)) <= width


def drawn(width: int) -> str:
    footer = Footer(Ink(load_theme("wakeful")))
    footer.show(replace(BUSY), PLACE)
    (row,) = footer.rows(width)
    return " | ".join(part.strip() for part in "".join(text for text, _ in row).split("   ") if part.strip())
