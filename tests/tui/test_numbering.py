from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from tui.numbering import NUMBERING


def numbered(*colours: str) -> list[int | None]:
    segments = [Segment("x", Style(color=colour, bgcolor=colour)) for colour in colours]
    styles = [style for _, style, _ in NUMBERING.apply(segments, Color(0, 0, 0))]
    assert all(style and style.color == style.bgcolor for style in styles)
    return [style.color.number for style in styles if style and style.color]


def test_each_of_the_256_colours_is_sent_by_its_own_number():
    # The first sixteen are the terminal's own.
    colours = [RichColor.from_ansi(number).get_truecolor().hex for number in range(16, 256)]

    assert numbered(*colours) == list(range(16, 256))


def test_a_colour_without_a_number_is_left_as_it_is():
    assert numbered("#123456", "red") == [None, 1]


def test_what_else_a_style_has_is_kept():
    style = Style(color="#eeeeee", bold=True, link="https://example.org")

    (segment,) = NUMBERING.apply([Segment("x", style)], Color(0, 0, 0))

    assert segment.style
    assert (segment.style.bold, segment.style.link) == (True, "https://example.org")
