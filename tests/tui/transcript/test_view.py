from typing import Self

from rich.style import Style
from textual import events
from textual.geometry import Offset, Region
from textual.selection import Selection

from tests.attacks import attacks
from tests.tui.transcript.screens import Reader, flushed, numbered, shown
from tui.theme import load_theme
from tui.transcript.document import KEPT, KEPT_LINES
from tui.transcript.entries import (
    AssistantText,
    Entry,
    Failure,
    Notice,
    Reasoning,
    ToolCall,
    UserMessage,
)
from tui.transcript.view import CopyRequested, LinkClicked, Transcript


async def test_the_end_stays_in_sight_while_text_streams_in():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(30))
        for number in range(40):
            app.transcript.stream("live", "text", f"streamed {number}\n\n")
        await flushed(pilot, app.transcript)

        assert shown(app.transcript)[-1] == "  streamed 39"
        assert app.transcript.following


async def test_a_word_more_repaints_its_own_row_and_no_other():
    class Noting(Transcript):
        def refresh(self, *regions: Region, **options: bool) -> Self:
            asked.append(regions)
            return super().refresh(*regions, **options)

    asked: list[tuple[Region, ...]] = []
    app = Reader()
    app.transcript = Noting(load_theme())
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(30))
        app.transcript.stream("live", "text", "some words")
        await flushed(pilot, app.transcript)
        asked.clear()

        app.transcript.stream("live", "text", " and one more")
        await flushed(pilot, app.transcript)

        assert asked == [(Region(0, 11, app.transcript.document.width, 1),)]
        assert shown(app.transcript)[-1] == "  some words and one more"


async def test_the_scroll_bar_comes_to_the_end_too():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(3))
        await pilot.pause()

        app.transcript.add(*numbered(40, start=3))

        bar = app.transcript.vertical_scrollbar
        while bar.position != app.transcript.scroll_y or not bar.position:
            await pilot.pause(0.05)
        assert bar.window_virtual_size == app.transcript.document.index.total


async def test_a_reader_further_up_is_not_moved_and_told_how_much_is_new():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(30))
        await pilot.pause()
        app.transcript.focus()
        await pilot.press("pageup")
        before = shown(app.transcript)

        app.transcript.add(*numbered(3, start=30))
        for _ in range(50):
            app.transcript.stream("live", "text", "more words\n\n")
        await flushed(pilot, app.transcript)

        after = shown(app.transcript)
        assert after[:-1] == before[:-1]
        assert after[-1].endswith("↓ 4 new")
        await pilot.press("end")
        assert app.transcript.unseen == 0
        assert shown(app.transcript)[-1] == "  more words"


async def test_a_reader_further_up_is_told_of_an_answer_that_grows():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        for number in range(50):
            app.transcript.stream("live", "text", f"paragraph {number}\n\n")
        await flushed(pilot, app.transcript)
        app.transcript.focus()
        await pilot.press("pageup")

        app.transcript.stream("live", "text", "more words\n\n")
        await flushed(pilot, app.transcript)

        assert shown(app.transcript)[-1].endswith("↓ 1 new")


async def test_folding_again_what_was_looked_into_follows_again():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        output = "\n".join(map(str, range(40)))
        app.transcript.add(*numbered(9), Entry("tool", ToolCall("Ran", "seq 40", "completed", 3, output)))
        await pilot.pause()
        app.transcript.action_previous_entry()

        app.transcript.action_toggle_fold()
        looked_into = app.transcript.following
        app.transcript.action_toggle_fold()

        assert (looked_into, app.transcript.following) == (False, True)


async def test_scrolling_down_to_the_end_follows_again():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(30))
        await pilot.pause()
        app.transcript.focus()
        await pilot.press("pageup", "pageup")
        assert not app.transcript.following

        await pilot.press("pagedown", "pagedown", "pagedown")

        assert app.transcript.following


async def test_a_resize_keeps_the_line_at_the_top():
    app = Reader()
    async with app.run_test(size=(80, 20)) as pilot:
        words = " ".join(f"word{number}" for number in range(400))
        app.transcript.add(*numbered(40), Entry("long", AssistantText(words)), *numbered(40, start=40))
        await pilot.pause()
        place = app.transcript.document.place(app.transcript.document.slot("long"))
        app.transcript.show_line(app.transcript.document.index.top(place) + 12)
        first = shown(app.transcript)[0].split()[0]

        for width in (40, 120, 33, 80):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert first in " ".join(shown(app.transcript)[:2]).split()


async def test_a_window_of_one_cell_is_survived():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(5), Entry("t", ToolCall("Ran", "x", diff="@@ -1 +1 @@\n-a\n+b\n")))
        for size in ((1, 1), (2, 1), (3, 3), (1, 9), (60, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()

        assert shown(app.transcript)[-1].strip() != ""


async def test_older_entries_come_above_without_moving_what_is_read():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(30, start=100))
        await pilot.pause()
        app.transcript.show_line(10)
        before = shown(app.transcript)

        app.transcript.prepend(numbered(100))
        await pilot.pause()

        assert shown(app.transcript) == before
        assert app.transcript.text_at(0) == "  entry 0 line 0"


async def test_a_retried_message_takes_back_what_it_had_streamed():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(Entry("u", UserMessage("hello")))
        app.transcript.stream("r", "reasoning", "hm", message=7)
        app.transcript.stream("t", "text", "half an ans", message=7)
        await flushed(pilot, app.transcript)
        app.transcript.stream("t", "text", "wer", message=7)

        app.transcript.drop(7)
        app.transcript.stream("t2", "text", "whole answer", message=7)
        await flushed(pilot, app.transcript)

        assert [row.strip() for row in shown(app.transcript) if row.strip()] == ["▌ hello", "whole answer"]


async def test_finishing_draws_at_once_what_was_still_waiting():
    app = Reader()
    async with app.run_test(size=(60, 12)):
        app.transcript.stream("t", "text", "x" * 50_000 + " end")

        app.transcript.finish("t")

        assert shown(app.transcript)[-1].endswith("end")
        assert app.transcript.source("t").endswith(" end")


async def test_a_tool_card_unfolds_by_click_and_by_cursor():
    app = Reader()
    output = "\n".join(f"line {number}" for number in range(20))
    async with app.run_test(size=(60, 30)) as pilot:
        app.transcript.add(Entry("c", ToolCall("Ran", "make", "completed", 1_200, output)))
        await pilot.pause()
        assert [row.strip() for row in shown(app.transcript)[1:5]] == [
            "… 17 more lines",
            "line 17",
            "line 18",
            "line 19",
        ]

        await pilot.click(Transcript, offset=(5, 0))

        assert [row.strip() for row in shown(app.transcript)[1:3]] == ["line 0", "line 1"]
        app.transcript.action_next_entry()
        app.transcript.action_toggle_fold()
        assert shown(app.transcript)[1].strip("▌ ") == "… 17 more lines"


async def test_a_running_tool_shows_its_end_when_it_has_come():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(Entry("c", ToolCall("Ran", "make test")))
        app.transcript.add_output("c", "one\n")
        app.transcript.add_output("c", "two\n")
        await flushed(pilot, app.transcript)
        assert [row.split() for row in shown(app.transcript)[:3]] == [
            ["◌", "Ran", "make", "test"],
            ["one"],
            ["two"],
        ]

        app.transcript.update_tool("c", status="failed", duration_ms=61_000)

        assert shown(app.transcript)[0].endswith("failed · 1 min 1 s")


async def test_reasoning_is_one_line_until_unfolded():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.stream("r", "reasoning", "First thought.\n\nSecond thought.")
        await flushed(pilot, app.transcript)
        assert shown(app.transcript)[0].strip() == "▸ Thinking · Second thought."
        app.transcript.finish("r")
        assert shown(app.transcript)[0].strip() == "▸ Thought · First thought."

        await pilot.click(Transcript, offset=(5, 0))

        assert [row.strip() for row in shown(app.transcript)[:4]] == [
            "▾ Thought",
            "First thought.",
            "",
            "Second thought.",
        ]


async def test_a_search_finds_what_was_never_drawn_and_unfolds_it():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        output = "\n".join("needle" if number == 3 else f"hay {number}" for number in range(50))
        app.transcript.add(
            *numbered(20),
            Entry("deep", ToolCall("Ran", "x", "completed", 1, output)),
            *numbered(500, start=20),
            Entry("last", AssistantText("a **nee**dle in the end")),
        )
        await pilot.pause()

        assert app.transcript.search("NEEDLE") == 2
        assert app.transcript.show_match() == "deep"
        assert any("needle" in row for row in shown(app.transcript))
        assert app.transcript.show_match() == "last"
        assert app.transcript.show_match(-1) == "deep"
        assert app.transcript.search("") == 0


async def test_a_search_stops_at_every_line_of_an_entry_that_has_it():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        body = "\n\n".join("a pin" if number % 40 == 0 else f"line {number}" for number in range(100))
        app.transcript.add(Entry("one", AssistantText(body)), *numbered(30))
        await pilot.pause()

        app.transcript.search("pin")
        tops: list[int] = []
        for _ in range(4):
            app.transcript.show_match()
            tops.append(app.transcript.scroll_offset.y)

        assert tops == [0, 76, 156, 0]


async def test_a_search_counts_hits_and_steps_through_those_of_one_line():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(
            Entry("one", AssistantText("a pin, a pin and one more pin")),
            Entry("two", AssistantText("the last pin")),
        )
        await pilot.pause()

        assert app.transcript.search("pin") == 4
        places: list[tuple[int, int]] = []
        for _ in range(4):
            app.transcript.show_match(-1)
            places.append(app.transcript.found_at)

        assert places == [(4, 4), (3, 4), (2, 4), (1, 4)]
        assert strongest(app.transcript) == [(0, 2)]
        app.transcript.show_match()
        await pilot.pause()
        assert strongest(app.transcript) == [(0, 9)]


async def test_a_search_counts_what_is_drawn_once_a_reader_is_there():
    diff = "--- a/pin.py\n+++ b/pin.py\n@@ -1 +1 @@\n-pin\n+a pin\n"
    app = Reader()
    async with app.run_test(size=(60, 30)) as pilot:
        app.transcript.add(
            Entry("edit", ToolCall("Edited", "pin.py", "completed", 1, diff=diff)),
            Entry("link", AssistantText("see [this](https://example.org/pin)")),
        )
        await pilot.pause()

        assert app.transcript.search("pin") == 4
        for _ in range(4):
            app.transcript.show_match()

        assert app.transcript.found_at == (4, 4)
        assert app.transcript.search("example") == 1


def strongest(transcript: Transcript) -> list[tuple[int, int]]:
    """Rows and columns of what is painted as the hit the reader is at."""
    found: list[tuple[int, int]] = []
    for row, strip in enumerate(transcript.render_lines(transcript.size.region)):
        at = 0
        for text, style, _ in strip:
            if style and style.reverse:
                found.append((row, at - 2))
            at += len(text)
    return found


async def test_the_cursor_walks_entries_and_copies_their_source():
    copied: list[str] = []

    class Copying(Reader):
        def on_copy_requested(self, message: CopyRequested) -> None:
            copied.append(message.text)

    app = Copying()
    async with app.run_test(size=(60, 8)) as pilot:
        app.transcript.add(*numbered(20), Entry("md", AssistantText("**bold**\n\n```\ncode\n```\n")))
        await pilot.pause()

        app.transcript.action_previous_entry()
        app.transcript.action_copy_entry()
        for _ in range(15):
            app.transcript.action_previous_entry()
        await pilot.pause()

        assert copied == ["**bold**\n\n```\ncode\n```\n"]
        assert any(row.startswith("▌ entry 5") for row in shown(app.transcript))


async def test_a_selection_is_copied_without_gutters_and_with_wrapped_lines_joined():
    app = Reader()
    async with app.run_test(size=(30, 20)) as pilot:
        words = " ".join(f"word{number}" for number in range(12))
        app.transcript.add(Entry("a", AssistantText(f"{words}\n\n> said\n\n```py\nx = 1\n```")))
        await pilot.pause()

        selection = app.transcript.get_selection(Selection(None, None))

        assert selection == (f"{words}\n\nsaid\n\nx = 1", "\n")


async def test_a_selection_made_with_the_mouse_holds_while_text_grows_above():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(4, start=10))
        await pilot.pause()
        await pilot.mouse_down(Transcript, offset=(2, 2))
        await pilot._post_mouse_events(  # pyright: ignore[reportPrivateUsage]  # no public way to drag
            [events.MouseMove], Transcript, offset=(9, 4), button=1
        )
        await pilot.mouse_up(Transcript, offset=(9, 4))
        assert app.screen.get_selected_text() == "entry 11 line 0\n\nentry 12"

        app.transcript.prepend(numbered(10))
        await pilot.pause()

        assert app.screen.get_selected_text() == "entry 11 line 0\n\nentry 12"


async def test_another_theme_repaints_and_moves_nothing():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(50))
        await pilot.pause()
        app.transcript.show_line(20)
        before = shown(app.transcript)
        colour = app.transcript.render_lines(app.transcript.size.region)[0]

        app.transcript.wear(load_theme("daylight"))
        await pilot.pause()

        assert shown(app.transcript) == before
        assert app.transcript.render_lines(app.transcript.size.region)[0] != colour


async def test_only_some_entries_stay_drawn_however_far_one_scrolls():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(2_000))
        await pilot.pause()
        for line in range(0, app.transcript.document.index.total, 20):
            app.transcript.show_line(line)

        drawn = sum(slot.strips is not None for slot in app.transcript.document.slots)

        assert drawn <= KEPT


async def test_long_entries_that_are_out_of_sight_do_not_stay_drawn():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        long = "\n\n".join(f"line {number}" for number in range(100))
        app.transcript.add(*(Entry(str(number), AssistantText(long)) for number in range(50)))
        await pilot.pause()
        for line in range(0, app.transcript.document.index.total, 10):
            app.transcript.show_line(line)

        kept = sum(len(slot.strips or ()) for slot in app.transcript.document.slots)

        assert kept <= KEPT_LINES
        assert "line 99" in "\n".join(shown(app.transcript))


async def test_a_long_entry_is_not_drawn_again_while_another_streams_below_it():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        long = "\n\n".join(f"line {number}" for number in range(KEPT_LINES))
        app.transcript.add(Entry("before", AssistantText(long)))
        await flushed(pilot, app.transcript)
        drawn = app.transcript.document.slot("before").strips

        for word in ("some ", "more ", "words"):
            app.transcript.stream("live", "text", word)
            await flushed(pilot, app.transcript)

        assert shown(app.transcript)[-1] == "  some more words"
        assert drawn is not None
        assert app.transcript.document.slot("before").strips is drawn


async def test_a_text_that_ends_is_not_drawn_from_its_beginning_again():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.stream("live", "text", "\n\n".join(f"line {number}" for number in range(50)))
        await flushed(pilot, app.transcript)
        first = (app.transcript.document.slot("live").strips or [])[0]

        app.transcript.stream("live", "text", "\n\nthe end")
        app.transcript.finish("live")
        await pilot.pause()

        assert shown(app.transcript)[-1] == "  the end"
        assert (app.transcript.document.slot("live").strips or [])[0] is first


async def test_a_click_on_a_link_is_passed_on():
    opened: list[str] = []

    class Opening(Reader):
        def on_link_clicked(self, message: LinkClicked) -> None:
            opened.append(message.address)

    app = Opening()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(Entry("a", AssistantText("see [docs](https://e.org/x)")))
        await pilot.pause()

        await pilot.click(Transcript, offset=(7, 0))
        await pilot.pause()

        assert opened == ["https://e.org/x"]


async def test_hostile_text_reaches_no_row_of_any_entry():
    app = Reader()
    async with app.run_test(size=(60, 40)) as pilot:
        for row in attacks("escape", "command-display", "path"):
            text = row.text[:3_000]
            app.transcript.add(
                Entry(f"u{row.id}", UserMessage(text, text)),
                Entry(f"r{row.id}", Reasoning(text)),
                Entry(
                    f"t{row.id}",
                    ToolCall(text, text, "failed", 1, text, f"+++ b/{text}\n@@ -1 +1 @@\n-{text}\n"),
                ),
                Entry(f"n{row.id}", Notice(text, "warning")),
                Entry(f"f{row.id}", Failure(text, text)),
            )
            app.transcript.stream(f"s{row.id}", "text", text)
            app.transcript.finish(f"s{row.id}")
            await pilot.pause()
            strips = app.transcript.render_lines(app.transcript.size.region)
            assert [strip.text for strip in strips if not strip.text.isprintable()] == []
            assert {strip.cell_length for strip in strips} == {app.transcript.document.width}


async def test_a_sequence_cut_in_two_by_a_stream_does_not_pass():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        for delta in ("```\n\x1b", "[31", "mred\x1b[", "0m\n```\n"):
            app.transcript.stream("s", "text", delta)
        await flushed(pilot, app.transcript)

        assert shown(app.transcript)[0] == "   red"


async def test_every_line_can_be_read_without_the_screen():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(50))
        await pilot.pause()

        assert app.transcript.text_at(0) == "  entry 0 line 0"
        assert app.transcript.text_at(98) == "  entry 49 line 0"
        assert app.transcript.text_at(10_000) == ""


async def test_a_click_that_ends_a_selection_folds_nothing():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(Entry("c", ToolCall("Ran", "make", "completed", 1, "a\nb\nc\nd\ne\nf")))
        await pilot.pause()
        app.screen.selections = {app.transcript: Selection(Offset(0, 0), None)}

        head = Style(meta={"act": "fold"})
        app.transcript.on_click(
            events.Click(app.transcript, 5, 0, 0, 0, 1, False, False, False, 5, 0, style=head)
        )

        assert app.transcript.document.slot("c").folded
