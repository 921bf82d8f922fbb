"""The plan is the user's as well: changed at the prompt while the agent works, held and woken."""

import re

from tests.tui.repl.conftest import Start
from tests.tui.repl.test_conversation import APPROVAL, ESCAPE, GRACE, READY


def test_todos_are_filtered_added_mid_run_held_and_woken(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("run the tests\r")
    text = terminal.wait_for(APPROVAL)
    assert re.search(r"Plan 0/3 ─{12}\n  ▶ #1 .*\n  ○ #2 .*\n  ○ #3 ", text)
    assert re.search(r"Plan 1/3 ━{4}─{8}\n  ✓ #1 .*\n  ▶ #2 ", text)
    terminal.settle(GRACE)

    terminal.type("/todos pending\r")
    text = terminal.wait_for(r"› /todos pending\n\nPlan .*\n  ○ #3")
    assert "▶" not in text.split("/todos pending")[-1]

    terminal.type("/todo add survey this project\r")
    terminal.wait_for(r"› /todo add survey this project")
    terminal.wait_for(r"○ #4 survey this project")
    terminal.settle(GRACE)
    terminal.type("y")
    terminal.wait_for(r"you: Yes, once")
    terminal.wait_for(r"✓ Ran make test")
    terminal.wait_for(r"✓ #4 survey this project")
    terminal.wait_for(r"Plan 4/4")

    terminal.type("run the tests\r")
    terminal.wait_for(r"(?s)Ran make test.*Run this command\?\s+(?:▌ )?make test")
    terminal.type(ESCAPE)
    terminal.wait_for(r"idle: held · \d open · Enter or /wake to continue", on_screen=True)
    terminal.type("/wake\r")
    terminal.wait_for(r"(?s)› /wake.*woken 1/25.*Run this command\?\s+(?:▌ )?make test")
    terminal.settle(GRACE)
    terminal.type("/quit\r")
    assert terminal.end() == 0
    assert "`wakeful repl -c` continues it" in terminal.text

    again = start("-c")
    again.wait_for(r"continuing run the tests")
    again.wait_for(r"(?s)woken 2/25.*Run this command\?\s+(?:▌ )?make test")
    again.settle(GRACE)
    again.type("y")
    again.wait_for(r"dormant: nothing open", on_screen=True)


def test_a_wake_is_counted_down_and_any_key_holds_it(start: Start):
    terminal = start("--set", "wake.countdown=600")
    terminal.wait_for(READY)

    terminal.type("/todo add survey this project\r")
    terminal.wait_for(r"idle: 1 open · Enter or /wake to start", on_screen=True)
    terminal.type("\r")
    terminal.wait_for(r"wakes in \d+ s · any key holds it", on_screen=True)
    terminal.type("x")

    terminal.wait_for(r"idle: held", on_screen=True)
    assert "woken" not in terminal.text
