"""Keys and pastes as a real terminal sends them."""

import re
import time
from pathlib import Path

from tests.tui.repl.conftest import Start

READY = "dormant: nothing open"
BACKSPACE = "\x7f"
CTRL_G = "\x07"


def pasted(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


def test_a_burst_is_taken_in_the_order_it_came(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type(f"hello w{BACKSPACE}world" + "\x01" + ">" + "\x05" + "<" + "\x1b[D" * 2 + "_")

    terminal.wait_for(r"▌ >hello worl_d<", on_screen=True)


def test_lines_that_come_at_once_are_one_message(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("the first line\rthe second line\rthe third line")
    terminal.wait_for("the third line", on_screen=True)
    terminal.settle(0.3)

    lines = r"▌ the first line *\n▌ the second line *\n▌ the third line"
    assert re.search(lines, terminal.shown)
    terminal.type("\r")
    terminal.wait_for(rf"(?s){lines}.*▌ message, /", on_screen=True)


def test_a_short_first_line_is_not_sent_without_the_others(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type('{\r  "a": 1\r}\r')

    terminal.wait_for(r'▌ \{ *\n▌   "a": 1 *\n▌ \} *\n▌ *\n', on_screen=True)


def test_an_empty_first_line_does_not_send_what_stands_there(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("look at this:")
    terminal.wait_for("▌ look at this:", on_screen=True)
    terminal.settle(0.3)

    terminal.type("\rone\rtwo")

    terminal.wait_for(r"▌ look at this: *\n▌ one *\n▌ two", on_screen=True)


def test_one_short_line_and_its_enter_are_sent_however_fast_they_come(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("ok\r")

    terminal.wait_for(r"(?s)▌ ok.*▌ message, /", on_screen=True)


def test_the_mouse_that_moves_after_alt_enter_does_not_send(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("one\x1b\r")
    time.sleep(0.03)
    terminal.type("\x1b[<35;10;10M")
    terminal.settle(0.3)
    terminal.type("two")

    terminal.wait_for(r"▌ one *\n▌ two", on_screen=True)


def test_alt_enter_and_a_backslash_before_enter_make_another_line(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("one\x1b\r")
    terminal.settle(0.3)
    terminal.type("two\\")
    terminal.settle(0.3)
    terminal.type("\r")
    terminal.settle(0.3)
    terminal.type("three")

    terminal.wait_for(r"▌ one *\n▌ two *\n▌ three", on_screen=True)
    assert "message, /" not in terminal.shown


def test_a_long_paste_is_one_word_that_goes_as_a_whole_and_is_sent_in_full(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    text = "\n".join(f"number {each}\x1b[31m" for each in range(42))

    terminal.type("see " + pasted(text))
    terminal.wait_for(r"▌ see \[pasted 42 lines\]", on_screen=True)
    terminal.type(BACKSPACE)
    terminal.wait_for(r"\[pasted", gone=True)
    terminal.type(pasted(text) + "\r")

    terminal.wait_for("number 41", on_screen=True)


def test_ten_megabytes_are_put_aside_and_typing_goes_on(start: Start, environment: dict[str, str]):
    terminal = start()
    terminal.wait_for(READY)
    text = "x" * 99 + "\n"

    terminal.type("\x1b[200~")
    for _ in range(1_000):
        terminal.type(text * 100)
        terminal.read(0)
    terminal.type("\x1b[201~ go on\r")

    terminal.wait_for("all of it is in", on_screen=True)
    (file,) = Path(environment["WAKEFUL_HOME"]).rglob("pasted-*.txt")
    assert file.read_text() == text * 100_000


def test_the_editor_has_the_terminal_and_gives_back_what_was_written(start: Start, tmp_path: Path):
    editor = tmp_path / "editor"
    look = 'stty -a | grep -q " icanon" && echo IN THE EDITOR'
    editor.write_text(f'#!/bin/sh\n{look}\nprintf " and more" >> "$1"\n')
    editor.chmod(0o700)
    terminal = start(VISUAL=str(editor))
    terminal.wait_for(READY)
    long = "\n".join(f"number {each}" for each in range(20))
    terminal.type("some words " + pasted(long))
    terminal.wait_for(r"pasted 20 lines", on_screen=True)

    terminal.type(CTRL_G)

    terminal.wait_for(r"▌ some words \[pasted 20 lines\] and more", on_screen=True)
    assert b"IN THE EDITOR" in terminal.captured
    painted = terminal.captured.rpartition(b"\x1b[?1049h")[2]
    assert READY.encode() in painted
    terminal.type("!")
    terminal.wait_for(r"and more!", on_screen=True)
    terminal.type("\x04" * 2 + "\x03\x03")
    terminal.end()
    assert terminal.is_sane() == []


def test_a_prompt_without_an_editor_stays_as_it_is(start: Start):
    terminal = start(VISUAL="/nowhere/vi")
    terminal.wait_for(READY)
    terminal.type("some words")
    terminal.wait_for("▌ some words", on_screen=True)

    terminal.type(CTRL_G)

    terminal.wait_for("does not start", on_screen=True)
    assert "▌ some words" in terminal.shown


def test_letters_by_the_thousand_and_what_is_between_them_stay_in_order(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("x" * 1000 + BACKSPACE * 999 + "\x01" + "y" * 500 + "\x05" + BACKSPACE + "z")

    terminal.wait_for(r"▌ y{90,}", on_screen=True)
    terminal.wait_for(r"yz *\n", on_screen=True)


def test_many_lines_that_come_at_once_are_one_paste(start: Start):
    terminal = start()
    terminal.wait_for(READY)

    terminal.type("".join(f"line {number} of the text\r" for number in range(2000)) + "the end")

    terminal.wait_for(r"▌ \[pasted 2,001 lines\] *\n", on_screen=True)
    terminal.type(BACKSPACE + "and then")
    terminal.wait_for(r"▌ and then", on_screen=True)
