import pytest

from tui.plan.editor import Typed


def typed(*keys: str, start: Typed | None = None) -> Typed:
    found = start or Typed()
    for key in keys:
        found = found.press(key, key if len(key) == 1 else None) or found
    return found


def test_letters_go_where_the_cursor_is():
    assert typed(*"fix loop", *["left"] * 4, *"the ") == Typed("fix the ", "loop")


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (["backspace"], Typed("one tw", "three")),
        (["delete"], Typed("one two", "hree")),
        (["home"], Typed("", "one twothree")),
        (["ctrl+a", "ctrl+e"], Typed("one twothree")),
        (["ctrl+w"], Typed("one ", "three")),
        (["ctrl+u"], Typed("", "three")),
        (["ctrl+k"], Typed("one two")),
        (["ctrl+left"], Typed("one ", "twothree")),
        (["home", "ctrl+right"], Typed("one", " twothree")),
        (["left", "right", "right"], Typed("one twot", "hree")),
    ],
)
def test_editing_keys_do_what_they_do_elsewhere(keys: list[str], left: Typed):
    assert typed(*keys, start=Typed("one two", "three")) == left


@pytest.mark.parametrize("key", ["backspace", "delete", "left", "right", "ctrl+w", "ctrl+left", "ctrl+right"])
def test_nothing_happens_at_the_edge(key: str):
    assert typed(key) == Typed()


def test_a_letter_and_what_is_stacked_on_it_go_together():
    assert typed("backspace", start=Typed("cafe\u0301")) == Typed("caf")
    assert typed("left", start=Typed("a漢")) == Typed("a", "漢")


def test_what_is_pasted_becomes_one_harmless_line():
    assert Typed().insert("one\r\ntwo\tthree\x1b[31m\x00").text == "one two three[31m"


def test_keys_that_write_nothing_are_left_to_others():
    assert Typed().press("f5", None) is None
    assert Typed().press("ctrl+t", "\x14") is None
