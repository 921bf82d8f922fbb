"""Code and changes lie on one rectangle, however long their lines are."""

import pytest
from textual.strip import Strip

from tui.theme import load_theme
from tui.transcript.cards import draw
from tui.transcript.entries import AssistantText, Body, ToolCall
from tui.transcript.ink import Ink
from tui.transcript.live import Live

INK = Ink(load_theme())
_TINTS = {INK.style("text", fill).bgcolor for fill in ("code", "add", "remove")}
LONG = "x = 1  # " + "a long remark " * 9
CODE = "```py\nimport os\n\n" + "y = 2\n" * 70 + f"{LONG}\ny = 3\n```"
DIFF = f"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-y = 2\n-y = 3\n+{LONG}\n+y = 4\n"


def tints(strips: list[Strip]) -> set[tuple[int, int]]:
    """Where the tint of each row that has one begins and ends."""
    found: set[tuple[int, int]] = set()
    for strip in strips:
        at, tinted = 0, list[int]()
        for segment in strip:
            if segment.style and segment.style.bgcolor in _TINTS:
                tinted += [at, at + segment.cell_length]
            at += segment.cell_length
        if tinted:
            found.add((min(tinted), max(tinted)))
    return found


@pytest.mark.parametrize("width", [60, 110, 120, 126])
@pytest.mark.parametrize("body", [AssistantText(CODE), ToolCall("Edited", "a.py", diff=DIFF)])
def test_a_long_line_does_not_stick_out_of_its_block(body: Body, width: int):
    assert len(tints(draw(body, width, INK, folded=False))) == 1


@pytest.mark.parametrize("width", [60, 120, 200])
def test_a_code_that_grows_wide_while_it_is_written_looks_as_in_one_go(width: int):
    live, drawn = Live(), list[Strip]()
    for line in CODE.splitlines(keepends=True):
        live.feed(line)
        drawn = live.draw(width, INK)

        assert len(tints(drawn)) <= 1

    assert [strip.text for strip in drawn] == [
        strip.text for strip in draw(AssistantText(CODE), width, INK, folded=True)
    ]


def test_a_folded_line_of_code_goes_on_below_its_first_letter():
    code = "    return aaaa bbbb ccc dddd eeee"
    drawn = draw(AssistantText(f"```py\n{code}\n```"), 30, INK, folded=True)

    assert [strip.text.rstrip() for strip in drawn] == ["       return aaaa bbbb ccc", "        dddd eeee"]


def test_a_folded_line_of_a_change_goes_on_below_its_first_letter():
    card = ToolCall("Edited", "a.py", diff="@@ -0,0 +1 @@\n+    return aaaa bbbb cccc dddd\n")
    drawn = draw(card, 30, INK, folded=True)

    assert [strip.text.rstrip() for strip in drawn[1:]] == [
        "    1 +     return aaaa bbbb",
        "             cccc dddd",
    ]
