import pytest

from tui.prompting.tokens import Tokens, cleaned, long

TEXT = "\n".join(f"line {number}" for number in range(42))


def test_a_word_stands_for_the_whole_text():
    tokens = Tokens()
    word = tokens.add(TEXT)

    assert word == "[pasted 42 lines]"
    assert tokens.expanded(f"see {word}!") == f"see {TEXT}!"


def test_two_texts_of_a_size_have_two_words_and_the_same_text_has_one():
    tokens = Tokens()
    first, second = tokens.add(TEXT), tokens.add(TEXT.upper())

    assert first != second
    assert tokens.add(TEXT) == first
    assert tokens.expanded(second + first) == TEXT.upper() + TEXT


def test_a_text_that_holds_another_word_is_not_expanded_twice():
    tokens = Tokens()
    word = tokens.add(TEXT)
    outer = tokens.add(f"{word}\n" * 50)

    assert tokens.expanded(outer) == f"{word}\n" * 50


def test_words_survive_an_editor():
    tokens = Tokens()
    word = tokens.add(TEXT)

    assert tokens.collapsed(f"before\n{tokens.expanded(word)}\nafter") == f"before\n{word}\nafter"


def test_a_place_inside_a_word_is_told_and_its_edges_are_not():
    tokens = Tokens()
    word = tokens.add(TEXT)
    line = f"a {word} b"

    assert tokens.around(line, 2) is None
    assert tokens.around(line, 3) == (2, 2 + len(word))
    assert tokens.around(line, 2 + len(word)) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\rc", "a\nb\nc"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x\x00\x08\x7f\x9by", "xy"),
        ("ls \u202etxt.exe \U000e0063", "ls txt.exe "),
        ("tab\tand 漢字 é 👩\u200d👩", "tab\tand 漢字 é 👩\u200d👩"),
    ],
)
def test_nothing_that_a_terminal_obeys_is_left_of_a_paste(text: str, shown: str):
    assert cleaned(text) == shown


def test_what_counts_as_long():
    assert not long("a\n" * 7)
    assert long("a\n" * 8)
    assert not long("a" * 1_000)
    assert long("a" * 1_001)
