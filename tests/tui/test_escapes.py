import random
import unicodedata

import pytest

from tests.attacks import Attack, attacks
from tui.escapes import EscapeFilter, in_ascii, safe

ROWS = attacks("escape", "command-display", "path")


def is_plain(text: str) -> bool:
    return all(
        character in "\n\t" or (character.isprintable() and unicodedata.category(character) != "Cf")
        for character in text
    )


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_no_control_character_of_the_attack_sample_passes_however_it_is_cut(row: Attack):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    whole = safe(row.text)

    assert is_plain(whole)
    for _ in range(20 if len(row.text) < 1_000 else 2):
        filtered, rest, shown = EscapeFilter(), row.text, ""
        while rest:
            size = rng.randint(1, max(1, len(rest)))
            shown += filtered.feed(rest[:size])
            rest = rest[size:]
        assert shown == whole


def test_random_bytes_of_control_sequences_never_pass():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    alphabet = "\x1b\x9b\x9d\x90\x9c[]();?0123456789mhlABHJKcnPX^_\\\a\b\r\n\x00\x7f\x85é中\u202e\u0301"

    for _ in range(3_000):
        filtered = EscapeFilter()
        shown = "".join(
            filtered.feed("".join(rng.choices(alphabet, k=rng.randint(1, 9))))
            for _ in range(rng.randint(1, 6))
        )
        assert is_plain(shown)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain text\n\twith tabs", "plain text\n\twith tabs"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]unterminated\nthe next line", "\nthe next line"),
        ("\x1b]" + "x" * 5_000 + "y", "x" * 904 + "y"),
        ("one\r\ntwo", "one\ntwo"),
        ("safe\rrm -rf ~", "safe\nrm -rf ~"),
        ("\x1b(0lqqk", "lqqk"),
        ("\x1bé", "é"),
        ("a\u00a0b\u3000c", "a b c"),
        ("日本語 naïve", "日本語 naïve"),
        ("\u202eevil", "⟨U+202E⟩evil"),
        ("👩\u200d💻", "👩💻"),
        ("⚠\ufe0f 1\ufe0f\u20e3", "⚠ 1\u20e3"),
        ("👍🏽 🇩🇪", "👍 DE"),
    ],
)
def test_what_is_left_is_the_text(given: str, shown: str):
    assert safe(given) == shown


def test_marks_are_stacked_only_as_high_as_a_letter_needs():
    assert len(safe("a" + "\u0301" * 5_000)) < 10


def test_a_terminal_without_unicode_gets_letters_for_our_signs():
    assert in_ascii("▶ #1 naïve … │") == "> #1 na?ve ... |"
