"""What something else wrote on the terminal is drawn over."""

import pytest

from tests.tui.repl.conftest import Start

GARBAGE = "\x1b[%d;1H\x1b[41mgarbage all over the row, from its beginning to its very end and more of it"


@pytest.mark.parametrize("opened", ["", "\x10"], ids=["the screen", "a list over it"])
def test_ctrl_l_draws_every_row_anew(start: Start, opened: str):
    terminal = start(columns=80, rows=24)
    terminal.wait_for("dormant: nothing open")
    terminal.type(opened)
    terminal.wait_for("enter runs it" if opened else "message, /", on_screen=True)
    terminal.settle(0.5)
    before = terminal.shown
    terminal.scribble("".join(GARBAGE % row for row in range(1, 25)))
    terminal.wait_for(r"(?:garbage.*\n?){24}", on_screen=True)

    terminal.type("\x0c")

    terminal.wait_for("garbage", gone=True, on_screen=True)
    terminal.settle(0.5)
    assert terminal.shown == before
