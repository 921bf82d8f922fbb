import pytest

from tui.oneline import one_line


@pytest.mark.parametrize(
    "title", ["wait… done", "mix日本語and Latin", "x² + y², Café™", "Cafe\u0301", "⟨brackets⟩"]
)
def test_a_title_in_any_script_is_shown_as_it_is_written(title: str):
    assert one_line(title) == title


def test_a_title_is_one_line_of_text():
    assert one_line("two\nlines\x1b]2;x\x07\tand a\u202etab") == "two lines and a⟨U+202E⟩tab"
