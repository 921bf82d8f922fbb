import random

import pyte
import pytest
from rich.cells import cell_len
from textual.strip import Strip

from tests.attacks import attacks
from tests.documents import LINES
from tui.escapes import safe
from tui.theme import load_theme, theme_names
from tui.transcript.blocks import Block, Code
from tui.transcript.ink import PLAIN, Ink
from tui.transcript.renderer import render
from tui.transcript.splitter import split

INK = Ink(load_theme())
WIDTHS = (1, 2, 3, 5, 8, 13, 40, 80)
ROWS = attacks("escape", "command-display", "path", "control-benign")
WIDE = (
    "日本語のテキストが続く長い行です",
    "👍🏽 ✌️ 🇩🇪 👩\u200d💻 1️⃣ text",
    "e\u0301\u0301 n\u0303 \u0e01\u0e33",
    "a\u200bb\u2060c\ufeffd",
    "\u202ertl\u202c שלום עולם مرحبا",
    "tab\tbetween\twords",
    "ﷺ ꧅ 𒐫",
)


def draw(text: str, width: int, ink: Ink = INK) -> list[Strip]:
    return [strip for block in split(text) for strip in render(block, width, ink)]


def texts(text: str, width: int = 60) -> list[str]:
    return [strip.text.rstrip() for strip in draw(text, width)]


def dressed(text: str) -> list[str]:
    """The same text wherever Markdown may hold it."""
    lines = text.split("\n")
    return [
        text,
        f"# {lines[0]}",
        "\n".join(f"- {line}" for line in lines),
        "\n".join(f"> {line}" for line in lines),
        f"```python\n{text}\n```",
        f"| a | b |\n|---|---|\n| {lines[0]} | x |",
        f"**{text}** `{text}` [{text}](https://e.org)",
    ]


@pytest.mark.parametrize("text", [*WIDE, *(row.text for row in ROWS)], ids=ascii)
def test_a_strip_has_exactly_the_width_asked_for(text: str):
    for body in dressed(safe(text[:2_000])):
        for width in WIDTHS:
            for strip in draw(body, width):
                assert sum(cell_len(segment.text) for segment in strip) == width
                assert strip.cell_length == width


@pytest.mark.parametrize("text", [*WIDE, *(row.text for row in ROWS)], ids=ascii)
def test_nothing_but_printable_text_is_drawn(text: str):
    for body in dressed(safe(text[:2_000])):
        assert all(strip.text.isprintable() for strip in draw(body, 40))


def test_entities_spell_no_control_characters():
    assert all(strip.text.isprintable() for strip in draw("a &#27;[31m &#8238; &#x9b;2J &#10; b", 40))


def test_an_emulated_terminal_sees_every_line_end_at_the_margin():
    screen = pyte.Screen(60, 24)
    stream = pyte.Stream(screen)

    strips = draw("\n\n".join(("日本語", "naïve café", "- punkt ✓", "> quote")), 59)
    for number, strip in enumerate(strips):
        stream.feed(f"\x1b[{number + 1};1H{strip.text}|")

    assert [screen.buffer[number][59].data for number in range(len(strips))] == ["|"] * len(strips)


def test_inline_marks_become_styles_and_links_say_where_they_lead():
    (strip,) = draw("**bold** *slanted* ~~gone~~ `code` [docs](https://e.org/x)", 80)
    looks = {segment.text: segment.style for segment in strip}

    assert looks["bold"] is not None
    assert looks["bold"].bold
    assert looks["slanted"] is not None
    assert looks["slanted"].italic
    assert looks["docs"] is not None
    assert looks["docs"].link == "https://e.org/x"
    assert "docs (e.org)" in strip.text


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "vscode://x"]
)
def test_an_address_that_could_do_harm_is_no_link(address: str):
    strips = draw(f"[docs]({address}) <{address}>", 80)

    assert not any(segment.style and segment.style.link for strip in strips for segment in strip)


def test_lists_are_tight_numbered_and_know_tasks():
    assert texts("3. a\n7. b\n\n- [ ] open\n- [x] done\n  - nested") == [
        "  3. a",
        "  4. b",
        "  ○ open",
        "  ✓ done",
        "    ◦ nested",
    ]


def test_a_table_is_as_wide_as_its_contents_and_aligned():
    assert texts("| name | n |\n|:--|--:|\n| a | 1 |\n| bcd | 22 |") == [
        "  name   n",
        "  ────────",
        "  a      1",
        "  bcd   22",
    ]


def test_a_table_too_wide_wraps_its_cells():
    lines = texts("| key | text |\n|---|---|\n| a | many words that do not fit here |", 24)

    assert lines[2:] == ["  a    many words that", "       do not fit here"]


def test_the_rows_of_a_long_table_stay_as_wide_as_its_first():
    rows = "".join(f"| {'x' if number < 40 else 'x' * 30} | y |\n" for number in range(60))

    lines = texts(f"| a | b |\n|---|---|\n{rows}", 60)

    assert lines[20] == "  x  y"
    assert lines[45].startswith("  x")
    assert len(lines[45]) <= len(lines[20])


def test_code_drawn_from_its_middle_is_coloured_as_from_its_start():
    text = '```python\nx = """\n' + "inside\n" * 100 + '"""\n```'
    forwards = [strip for block in split(text) for strip in render(block, 40, INK)]
    pieces: list[Block] = split(text)

    backwards = [render(piece, 40, INK) for piece in reversed(pieces)][::-1]

    assert [strip for piece in backwards for strip in piece] == forwards
    assert all(isinstance(piece, Code) for piece in pieces)
    inside = {segment.style for segment in forwards[90] if segment.text.strip()}
    assert inside == {INK.style("string", "code")}


def test_every_theme_draws_every_kind_of_line():
    for name in theme_names():
        for line in LINES:
            draw(line, 40, Ink(load_theme(name)))


def test_a_terminal_without_unicode_gets_ascii_only():
    plain = Ink(load_theme("monochrome"), PLAIN)

    for line in LINES:
        assert all(strip.text.isascii() for strip in draw(line, 40, plain))


def test_random_lines_keep_the_width_at_every_size():
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)

    for _ in range(100):
        width = rng.randint(1, 60)
        body = "\n".join(rng.choices(LINES, k=8))
        assert {strip.cell_length for strip in draw(body, width)} <= {width}
