import random
from itertools import pairwise

import pytest
from textual.events import Key, Paste

from tui.prompting.internals import PasteParser

START, END = "\x1b[200~", "\x1b[201~"
SENT = f"ab\x1b[D{START}one\r\x1b[31mtwo\x1b[0m\x1b{END}\x7fc{START}{END}{START}x{END}\r"
SEEN = ["a", "b", "left", "=one\r\x1b[31mtwo\x1b[0m\x1b", "backspace", "c", "=", "=x", "enter"]


def seen(parser: PasteParser, *pieces: str) -> list[str]:
    events = [event for piece in pieces for event in parser.feed(piece)]
    assert all(isinstance(event, Key | Paste) for event in events)
    return [f"={event.text}" if isinstance(event, Paste) else event.key for event in events]  # type: ignore[attr-defined]


def test_a_paste_is_what_stands_between_its_marks():
    assert seen(PasteParser(), SENT) == SEEN


@pytest.mark.parametrize("seed", range(50))
def test_it_does_not_matter_where_reads_end(seed: int):
    choice = random.Random(seed)
    # A read that ends right behind an escape, or the bracket, is a key until more is known.
    places = [at for at in range(1, len(SENT)) if not SENT[:at].endswith(("\x1b", "\x1b["))]
    cuts = [0, *sorted(choice.sample(places, choice.randint(0, 12))), len(SENT)]
    pieces = [SENT[start:end] for start, end in pairwise(cuts)]

    assert seen(PasteParser(), *pieces) == SEEN, f"seed {seed}: {pieces!r}"


@pytest.mark.parametrize(
    ("sent", "key", "letter"),
    [
        ("\x1b\r", "alt+enter", None),
        ("\x1bq", "alt+q", None),
        ("\x1b[27;2;13~", "shift+enter", None),
        ("\x1b[27;3;13~", "alt+enter", None),
        ("\x1b[27;5;13~", "ctrl+enter", None),
        ("\x1b[13;5u", "ctrl+enter", None),
        ("\x1b[27;2;65~", "A", "A"),
        ("q", "q", "q"),
        ("\r", "enter", "\r"),
    ],
)
def test_a_key_held_with_another_is_that_key_and_no_letter(sent: str, key: str, letter: str | None):
    parser = PasteParser()

    events = [*parser.feed(sent), *parser.feed("")]

    assert [(event.key, event.character) for event in events if isinstance(event, Key)] == [(key, letter)]


@pytest.mark.parametrize("behind", ["\x1b\r", "\x1b[A", "\x1b[1;3A", "\x1b"])
@pytest.mark.parametrize(
    ("sent", "key"), [("\x1b\r", "alt+enter"), ("\x1ba", "alt+a"), ("\x1bA", "alt+shift+a")]
)
def test_a_key_held_with_alt_is_known_before_anything_follows_it(sent: str, key: str, behind: str):
    parser = PasteParser()

    first = seen(parser, sent)
    rest = seen(parser, behind)

    assert first == [key]
    assert "circumflex_accent" not in rest


@pytest.mark.parametrize(("then", "key"), [("\r", "enter"), ("a", "a"), ("f", "f"), ("\x03", "ctrl+c")])
def test_escape_and_a_key_that_comes_after_it_are_two_keys(then: str, key: str):
    assert seen(PasteParser(), "\x1b", then) == ["escape", key]


def test_a_sequence_cut_behind_its_escape_is_one_key():
    pieces = ("\x1b", "[A", "\x1b", "OB", "\x1b[", "D\x1ba")

    assert seen(PasteParser(), *pieces) == ["up", "down", "left", "alt+a"]


def test_escape_and_a_key_held_with_alt_are_those_two():
    assert seen(PasteParser(), "\x1b", "\x1b\r") == ["escape", "alt+enter"]
    assert seen(PasteParser(), "\x1b\x1b\rx") == ["escape", "alt+enter", "x"]
