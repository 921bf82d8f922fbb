import pytest

from tui.theme import load_theme
from tui.transcript.cards import draw
from tui.transcript.entries import AssistantText
from tui.transcript.finding import hits
from tui.transcript.ink import Ink


def lit(text: str, query: str, width: int = 24) -> list[list[str]]:
    """Each hit as the pieces of the lines it is in."""
    strips = draw(AssistantText(text), width, Ink(load_theme()), folded=False)
    return [[strips[span.line].text[span.start : span.end] for span in hit] for hit in hits(strips, query)]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("a pin and a PIN", "pin", [["pin"], ["PIN"]]),
        ("a **nee**dle", "needle", [["nee", "dle"]]),
        ("call `some_name` here", "some_name", [["some_name"]]),
        ("the words go on in the next line", "on in the next", [["on in", "the next"]]),
        ("verylongwordthatiscutinsideofit", "cutinside", [["cu", "tinside"]]),
        ("one\n\ntwo", "one two", []),
        ("weiß STRASSE", "strasse", [["STRASSE"]]),
        ("a.c abc", "a.c", [["a.c"]]),
        ("anything", "**", []),
        ("anything", "", []),
    ],
)
def test_hits_are_where_they_are_read(text: str, query: str, expected: list[list[str]]):
    assert lit(text, query) == expected
