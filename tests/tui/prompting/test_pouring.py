import pytest

from tui.prompting.pouring import Pour


def typed(pour: Pour, text: str, *, gap: float, start: float = 0.0) -> list[str]:
    return [
        pour.press("enter" if each == "\n" else each, each if each != "\n" else "\r", start + at * gap)
        for at, each in enumerate(text)
    ]


def test_keys_of_fingers_are_keys():
    assert set(typed(Pour(), "hello\nworld\n", gap=0.03)) == {"key"}


def test_a_line_end_in_a_pour_waits_and_what_follows_goes_with_it():
    pour = Pour()

    assert typed(pour, "hello\nyou\n", gap=0.001) == ["key"] * 5 + ["held"] * 5
    assert pour.end() == ("hello", "\nyou\n")


def test_a_line_end_that_nothing_follows_is_given_back_alone():
    pour = Pour()
    typed(pour, "hello\n", gap=0.001)

    assert pour.press("x", "x", 10.0) == "ended"
    assert pour.end() == ("hello", "\n")


@pytest.mark.parametrize("first", ["a", "if", "{"])
def test_lines_that_come_at_once_are_one_text_however_short_the_first(first: str):
    pour = Pour()
    typed(pour, f"{first}\nbcd\n", gap=0.001)

    assert pour.end() == (first, "\nbcd\n")


@pytest.mark.parametrize("text", ["y", "ok"])
def test_a_short_line_that_comes_at_once_is_sent(text: str):
    pour = Pour()
    typed(pour, f"{text}\n", gap=0.0)

    assert pour.end() == (text, "\n")


def test_enter_by_itself_is_a_key():
    assert typed(Pour(), "\n", gap=0.0) == ["key"]


def test_an_arrow_in_a_pour_ends_it():
    pour = Pour()
    typed(pour, "hello\nyou", gap=0.001)

    assert pour.press("left", None, 0.01) == "ended"
