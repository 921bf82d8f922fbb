"""Keys that come in one burst act in the order they were typed, in every widget."""

import pytest

from tests.tui.repl.conftest import Start

READY = "dormant: nothing open"
CTRL_F, BACKSPACE, LEFT = "\x06", "\x7f", "\x1b[D"


@pytest.mark.parametrize("place", ["prompt", "search"])
def test_a_burst_is_not_reordered(start: Start, place: str):
    terminal = start()
    terminal.wait_for(READY)
    if place == "search":
        terminal.type(CTRL_F)
        terminal.wait_for("find in this conversation", on_screen=True)

    terminal.type(f"hello w{BACKSPACE}world{LEFT}{LEFT}xy{BACKSPACE}{BACKSPACE}")

    terminal.wait_for("hello world", on_screen=True)


def test_keys_after_one_that_opens_something_go_there(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type(f"{CTRL_F}needle\x1b")
    terminal.settle(0.3)
    terminal.type("back\x06")

    terminal.wait_for("needle", on_screen=True)
    assert "needleback" not in terminal.shown
