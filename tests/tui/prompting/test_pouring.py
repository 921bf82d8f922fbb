import pytest

from tui.prompting.pouring import Pour, is_poured


def typed(pour: Pour, text: str, *, gap: float, start: float = 0.0) -> list[str]:
    return [
        pour.press("enter" if each == "\n" else each, each if each != "\n" else "\r", start + at * gap)
        for at, each in enumerate(text)
    ]


def test_keys_of_fingers_are_keys():
    pour = Pour()

    assert typed(pour, "hello\n", gap=0.03) == ["key"] * 5 + ["held"]
    assert pour.press("w", "w", 0.2) == "ended"
    assert pour.end() == ("", "\n")
    assert typed(pour, "world", gap=0.03, start=0.2) == ["key"] * 5


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


def test_enter_by_itself_is_given_back_soon():
    pour = Pour()
    typed(pour, "hello", gap=0.03)

    assert typed(pour, "\n", gap=0.0, start=1.0) == ["held"]
    assert pour.patience < 0.05
    assert pour.end() == ("", "\n")


def test_lines_that_come_at_once_are_one_text_also_where_the_first_is_empty():
    pour = Pour()
    typed(pour, "look: ", gap=0.03)
    typed(pour, "\nbcd\n", gap=0.001, start=1.0)

    assert pour.end() == ("", "\nbcd\n")


def test_an_arrow_in_a_pour_ends_it():
    pour = Pour()
    typed(pour, "hello\nyou", gap=0.001)

    assert pour.press("left", None, 0.01) == "ended"


@pytest.mark.parametrize(
    ("text", "poured"),
    [
        ("one line of some length\rand another one", True),
        ("one line of some length\nand another one\n", True),
        ("\ran empty line before one of some length", True),
        ("one line of some length, with enter behind it\r", False),
        ("short\rlines\r", False),
        ("one line of some length\x1b[A\rand another one", False),
        ("one line of some length\x7f\rand another one", False),
    ],
)
def test_lines_in_one_read_are_a_paste(text: str, poured: bool):
    assert is_poured(text) is poured
