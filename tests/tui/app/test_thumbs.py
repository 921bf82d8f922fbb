from rich.color import Color
from rich.segment import Segment

from tui.widgets.thumbs import PlainThumbs, Thumbs


def drawn(kind: type[Thumbs], colour: Color) -> list[Segment]:
    bar = kind.render_bar(8, 32, 8, 8, back_color=Color.default(), bar_color=colour)
    return list(bar.segments)


def test_a_scroll_bar_without_colours_is_a_faint_line():
    thumbs = [segment for segment in drawn(Thumbs, Color.default()) if segment.text.strip()]

    assert {segment.text for segment in thumbs} == {"│"}
    assert all(segment.style and segment.style.dim and not segment.style.reverse for segment in thumbs)
    assert all(segment.style and segment.style.meta["@mouse.down"] == "grab" for segment in thumbs)


def test_a_scroll_bar_without_unicode_is_a_line_as_well():
    assert "|" in {segment.text for segment in drawn(PlainThumbs, Color.default())}


def test_a_scroll_bar_in_colour_is_as_textual_has_it():
    assert any(segment.style and segment.style.reverse for segment in drawn(Thumbs, Color.parse("#39404b")))
