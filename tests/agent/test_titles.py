import pytest

from agent.titles import title_of


@pytest.mark.parametrize(
    ("request_text", "title"),
    [
        ("Fix the flaky login test.", "Fix the flaky login test"),
        ("\n\n# Heading\nbody", "Heading"),
        ("`code` and *stars*", "code and stars"),
        ("fix test_login in _every_ __init__ of issue #12", "fix test_login in every __init__ of issue #12"),
        ("", ""),
        ("word " * 40, "word word word word word word word word word word word word…"),
    ],
)
def test_a_session_is_named_after_its_first_line(request_text: str, title: str):
    assert title_of(request_text) == title
