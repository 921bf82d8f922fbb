from collections.abc import Iterator

import pytest
from textual.strip import Strip

from tui.theme import load_theme
from tui.transcript.cards import draw, duration
from tui.transcript.differences import counts, read
from tui.transcript.diffs import diff_lines
from tui.transcript.entries import (
    AssistantText,
    Body,
    Failure,
    Notice,
    Reasoning,
    ToolCall,
    UserMessage,
    filtered,
)
from tui.transcript.ink import PLAIN, Ink
from tui.transcript.renderer import GUTTER
from tui.transcript.wrapping import MEASURE

INK = Ink(load_theme())
_PLACES = {INK.style("text", fill).bgcolor for fill in ("page", "user")}
DIFF = """\
--- a/app.py
+++ b/app.py
@@ -3,3 +3,4 @@ def f():
 same
-    if token.expired:
+    if token.expired(now):
+        # new
 end
@@ -40 +41 @@
--- a/dashed line
+++ b/plus line
"""


def texts(body: Body, width: int = 60, *, folded: bool = True) -> list[str]:
    return [strip.text.rstrip() for strip in draw(body, width, INK, folded=folded)]


def test_a_diff_is_read_with_line_numbers_and_marked_words():
    rows = read(DIFF)

    assert [(row.kind, row.number, row.text) for row in rows] == [
        ("same", 3, "same"),
        ("remove", 4, "    if token.expired:"),
        ("add", 4, "    if token.expired(now):"),
        ("add", 5, "        # new"),
        ("same", 6, "end"),
        ("gap", 0, ""),
        ("remove", 40, "-- a/dashed line"),
        ("add", 41, "++ b/plus line"),
    ]
    assert [rows[2].text[start:end] for start, end in rows[2].marks] == ["(now)"]
    assert counts(DIFF) == (3, 2)


def test_words_that_changed_tell_what_became_of_them_where_fills_have_no_colour():
    lines = diff_lines("@@ -1 +1 @@\n-a pin here\n+a nail here\n", 40, Ink(load_theme("ansi")))

    looks = {text: style for line in lines for text, style in line.runs if text in ("pin", "nail")}
    assert {word: style.color.name for word, style in looks.items() if style.color} == {
        "pin": "red",
        "nail": "green",
    }
    assert not any(style.reverse for style in looks.values())


def test_a_narrow_diff_is_one_column_and_a_wide_one_two():
    card = ToolCall("Edited", "app.py", "completed", 31, "ok", DIFF)

    assert texts(card, 50)[1:5] == [
        "     3   same",
        "     4 -     if token.expired:",
        "     4 +     if token.expired(now):",
        "     5 +         # new",
    ]
    wide = texts(card, 160)
    assert "4 -     if token.expired:" in wide[2]
    assert "4 +     if token.expired(now):" in wide[2]


def test_lines_side_by_side_keep_the_order_of_their_file():
    diff = (
        "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,4 @@\n-def f3(x):\n-    return x + 3\n"
        "+def f3(x: int) -> int:\n+    # checked\n+    y = x + 3\n+    return y\n"
    )
    card = ToolCall("Edited", "app.py", "completed", 31, "ok", diff)

    shown = [line.partition("│")[2].partition(" ")[0] for line in texts(card, 160)[1:]]

    assert shown == ["1", "2", "3", "4"]


def test_a_new_file_has_the_whole_width_of_a_wide_screen():
    diff = "--- /dev/null\n+++ b/app.py\n@@ -0,0 +1,2 @@\n+import os\n+import sys\n"
    card = ToolCall("Wrote", "app.py", "completed", 31, "ok", diff)

    assert texts(card, 160)[1:] == ["    1 + import os", "    2 + import sys"]


def test_a_folded_diff_says_how_much_it_hides():
    body = "".join(f"+line {number}\n" for number in range(40))
    card = ToolCall(
        "Wrote", "new.py", "completed", 5, "", f"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,40 @@\n{body}"
    )

    assert texts(card)[-1].strip() == "… 24 more lines"
    assert texts(card, folded=False)[-1].strip() == "40 + line 39"


def edited(*hunks: str) -> ToolCall:
    """Each hunk as its lines; where they stand does not matter."""
    body = ""
    for number, lines in enumerate(hunks):
        signs = [line[:1] for line in lines.splitlines()]
        old, new = (len(signs) - signs.count(sign) for sign in "+-")
        body += f"@@ -{1 + 100 * number},{old} +{1 + 100 * number},{new} @@\n{lines}"
    return ToolCall("Edited", "a.py", "completed", 5, "", f"--- a/a.py\n+++ b/a.py\n{body}")


AROUND = " one\n two\n three\n"


def test_a_folded_diff_drops_what_stands_around_the_changes_first():
    card = edited(*(f"{AROUND}-old {number}\n+new {number}\n{AROUND}" for number in range(4)))

    shown = "\n".join(texts(card))

    assert all(f"- old {number}" in shown and f"+ new {number}" in shown for number in range(4))
    assert len(texts(card)) <= 18
    assert texts(card)[-1].strip().endswith(" more lines")


def test_a_folded_diff_has_something_of_every_change_and_rather_what_was_added():
    long = "".join(f"-old {number}\n" for number in range(20)) + "+put there\n"
    card = edited(long, f"{AROUND}+last\n{AROUND}")

    shown = "\n".join(texts(card))

    assert "+ put there" in shown
    assert "+ last" in shown
    assert "- old 0" in shown


def test_a_folded_diff_of_many_changes_shows_the_first_of_them_whole():
    scattered = "".join(f"-old {number}\n+new {number}\n same {number}\n" for number in range(30))
    card = edited(scattered)

    shown = [line[7:] for line in texts(card)[1:]]

    assert shown[:5] == ["- old 0", "+ new 0", "  same 0", "- old 1", "+ new 1"]
    assert not any("…" in line for line in shown[:-1])


def test_a_folded_diff_does_not_end_with_a_gap():
    card = edited(*(f"{AROUND}-old {number}\n+new {number}\n{AROUND}" for number in range(30)))

    *shown, more = texts(card)

    assert shown[-1].strip() != "…"
    assert sum("- old" in line for line in shown) == sum("+ new" in line for line in shown) > 2
    assert more.strip().startswith("… 2")


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(12, "12 ms"), (3_400, "3.4 s"), (61_000, "1 min 1 s"), (7_260_000, "2 h 1 min")],
)
def test_durations_are_told_in_words(milliseconds: int, text: str):
    assert duration(milliseconds) == text


def test_a_card_says_verb_object_counts_and_how_it_ended():
    (head, *_) = texts(ToolCall("Edited", "app.py", "completed", 31, "ok", DIFF))

    assert head.split() == ["✓", "Edited", "app.py", "+3", "−2", "31", "ms"]


def test_a_subject_too_long_is_clipped_before_the_duration():
    (head,) = texts(ToolCall("Ran", "x" * 200, "completed", 31), 40)

    assert head.endswith("x…  31 ms")


def test_what_a_search_found_stands_before_its_time_and_stays_in_a_narrow_window():
    card = ToolCall("Searched", "TODO in src", "completed", 12, "", tally="14 hits in 5 files")

    assert texts(card)[0].split("  ")[-1] == "14 hits in 5 files · 12 ms"
    assert texts(card, 40) == ["  ✓ Searched TODO…  14 hits in 5 files"]


def test_a_mark_to_unfold_stands_only_where_there_is_more():
    whole = ToolCall("Ran", "cat x", "failed", 3, "cat: x: No such file\n(exit code 1)")
    longer = ToolCall("Ran", "seq 9", "completed", 3, "\n".join("123456789"))
    wide = ToolCall("Ran", "cat x", "completed", 3, "x" * 100)

    assert texts(whole)[0].split()[-4:] == ["failed", "·", "3", "ms"]
    assert texts(longer)[0].endswith("▸")
    assert texts(longer, folded=False)[0].endswith("▾")
    assert texts(wide)[0].endswith("▸")
    assert not texts(wide, 140)[0].endswith("▸")


def test_one_line_beside_a_diff_is_nothing_to_unfold():
    card = ToolCall("Edited", "app.py", "completed", 31, "edited app.py", DIFF)

    assert texts(card) == texts(card, folded=False)


def test_what_a_title_would_hide_is_spelled():
    card = filtered(ToolCall("Wrote", "n\x1b[31mew\r\x9b2J.txt"))

    assert texts(card, 80) == ["  ◌ Wrote n⟨U+001B⟩[31mew⟨U+000D⟩⟨U+009B⟩2J.txt"]


def test_a_call_that_failed_says_why_in_a_line():
    card = ToolCall("Read", "missing.py", "failed", 2, "Error: missing.py does not exist", preview=0)

    assert [line.strip() for line in texts(card)[1:]] == ["Error: missing.py does not exist"]


def test_a_call_that_did_not_run_has_no_time_and_one_line_why():
    card = ToolCall("Did not run", "make", "denied", None, "refused: not today", preview=3)

    assert texts(card) == ["  ⊘ Did not run make", "    refused: not today"]


NEW_FILE = "--- /dev/null\n+++ b/app.py\n@@ -0,0 +1 @@\n+import os\n"


@pytest.mark.parametrize(
    "body",
    [
        ToolCall("Ran", "make", "completed", 31),
        ToolCall("Wrote", "app.py", "completed", 31, "", NEW_FILE),
        AssistantText("```py\nimport os\n```"),
        AssistantText("a word " * 50),
        UserMessage("a word " * 50),
        Reasoning("a word " * 50),
    ],
)
def test_lines_end_at_one_edge_in_a_wide_window(body: Body):
    drawn = draw(body, 200, INK, folded=True)

    edge = max(max(_edges(strip)) for strip in drawn)
    # Words end before the edge, where the next one would not fit.
    assert MEASURE - len("a word") < edge - GUTTER <= MEASURE


def _edges(strip: Strip) -> Iterator[int]:
    """Where something is to be seen: text, or a fill other than those of page and message."""
    at = 0
    for segment in strip:
        behind = segment.style.bgcolor if segment.style else None
        at += segment.cell_length
        if behind not in _PLACES:
            yield at
        elif segment.text.strip():
            yield at - len(segment.text) + len(segment.text.rstrip())


def test_a_line_that_needs_more_goes_beyond_the_edge_and_is_not_folded():
    long = "x" * 150

    assert texts(AssistantText(f"```\n{long}\n```"), 200) == [f"   {long}"]


BODIES: list[Body] = [
    UserMessage("words " * 30, "queued"),
    AssistantText("# a\n\n- b\n\n```py\nx\n```"),
    Reasoning("thoughts " * 30),
    Reasoning(""),
    ToolCall("Ran", "make " * 30, "failed", 31, "out\tput\n" * 30),
    ToolCall("Edited", "ä.py", "completed", 31, "ok", DIFF),
    ToolCall("Asked", "", "pending"),
    ToolCall("Asked", "", "denied"),
    Notice("words " * 30, "warning"),
    Failure("words " * 30, "hint"),
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
@pytest.mark.parametrize("folded", [True, False])
def test_every_entry_fills_exactly_its_width_at_every_size(body: Body, folded: bool):
    for width in (1, 2, 3, 5, 7, 11, 20, 60, 140, 200):
        for ink in (INK, Ink(load_theme("monochrome"), PLAIN)):
            assert {strip.cell_length for strip in draw(body, width, ink, folded=folded)} <= {width}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_entries_need_no_unicode_where_there_is_none(body: Body):
    plain = Ink(load_theme("monochrome"), PLAIN)

    for folded in (True, False):
        assert all(strip.text.isascii() for strip in draw(body, 160, plain, folded=folded))


def test_a_failure_that_announces_more_ends_before_that_while_it_is_folded():
    said = "old was not found; copy it exactly. The nearest lines are:\n1\tone"
    card = ToolCall("Edited", "a.py", "failed", 2, said, preview=0)

    assert texts(card)[1:] == ["    old was not found; copy it exactly."]
    assert texts(card, 80, folded=False)[1].endswith("The nearest lines are:")
