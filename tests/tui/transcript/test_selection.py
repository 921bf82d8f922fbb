"""What the mouse marks, and what of it is copied."""

import pytest
from textual import events
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.selection import Selection

from tests.tui.transcript.screens import Reader, numbered, shown
from tui.transcript.entries import AssistantText, Entry, ToolCall, UserMessage
from tui.transcript.view import CopyRequested, Transcript
from tui.widgets.activity import Activity


class Copying(Reader):
    def __init__(self) -> None:
        super().__init__()
        self.copied: list[str] = []

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.copied.append(message.text)


class Framed(Copying):
    """With a line of words below the transcript, as in the app."""

    CSS = "Transcript { height: 1fr; } Activity { height: 1; }"

    def compose(self) -> ComposeResult:
        yield self.transcript
        yield Activity(self.transcript.document.ink)


async def dragged(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(offset=start)
    await pilot._post_mouse_events(  # pyright: ignore[reportPrivateUsage]  # no public way to drag
        [events.MouseMove], offset=end, button=1
    )
    await pilot.mouse_up(offset=end)
    await pilot.pause()


def everything(app: Reader) -> str:
    found = app.transcript.get_selection(Selection(None, None))
    assert found
    return found[0]


async def test_code_folded_at_a_blank_is_copied_with_it():
    code = "x = 'aaa bbb ccc ddd eee fff ggg hhh'"
    for width in range(12, 40):
        app = Reader()
        async with app.run_test(size=(width, 20)) as pilot:
            app.transcript.add(Entry("a", AssistantText(f"```python\n{code}\ny = 1\n```")))
            await pilot.pause()

            assert everything(app) == f"{code}\ny = 1"


async def test_a_changed_line_and_an_output_are_copied_as_they_were_however_they_are_folded():
    line = "aaa bbb ccc ddd eee fff ggg hhh"
    card = ToolCall("Ran", "x", "completed", None, f"{line}\n{line}", f"@@ -0,0 +1 @@\n+{line}\n")
    for width in range(16, 40):
        app = Reader()
        async with app.run_test(size=(width, 20)) as pilot:
            app.transcript.add(Entry("a", card), Entry("b", UserMessage("abcdefghijklmnopqrst" * 2)))
            app.transcript.document.fold(app.transcript.document.slot("a"), folded=False)
            app.transcript.settle()
            await pilot.pause()

            assert everything(app).endswith(f"\n{line}\n{line}\n{line}\n\n{'abcdefghijklmnopqrst' * 2}")


async def test_a_selection_that_begins_in_the_middle_of_a_wrapped_line_begins_with_its_text():
    app = Reader()
    async with app.run_test(size=(20, 10)) as pilot:
        app.transcript.add(Entry("a", AssistantText("some words that are wrapped here")))
        await pilot.pause()
        await dragged(pilot, (2, 1), (8, 1))

        assert shown(app.transcript)[1].startswith("  are wrap")
        assert app.screen.get_selected_text() == "are wra"


async def test_nested_items_are_copied_with_their_indent_and_code_in_them_without():
    app = Reader()
    text = "- a\n  - b which is long enough to be wrapped\n    - c\n- d\n\n  ```\n  code\n  ```"
    async with app.run_test(size=(30, 20)) as pilot:
        app.transcript.add(Entry("a", AssistantText(text)))
        await pilot.pause()

        assert everything(app) == ("• a\n  ◦ b which is long enough to be wrapped\n    ▪ c\n• d\ncode")


@pytest.mark.parametrize(
    ("place", "word"),
    [
        ((8, 0), "beta-gamma"),
        ((20, 0), "some_name"),
        ((30, 0), "/usr/lib/x.py:12"),
        ((48, 0), "end"),
        ((2, 0), "Alpha"),
        ((4, 2), "total"),
        ((14, 2), "item.price"),
    ],
)
async def test_a_double_click_copies_the_word(place: tuple[int, int], word: str):
    app = Copying()
    async with app.run_test(size=(60, 12)) as pilot:
        text = "Alpha beta-gamma `some_name` /usr/lib/x.py:12, end.\n\n```py\ntotal += (item.price)\n```"
        app.transcript.add(Entry("a", AssistantText(text)), *numbered(3))
        await pilot.pause()

        await pilot.double_click(Transcript, offset=place)
        await pilot.pause()

        assert app.copied == [word]
        assert app.screen.get_selected_text() == word


async def test_a_double_click_takes_a_word_that_is_cut_whole():
    app = Copying()
    async with app.run_test(size=(20, 12)) as pilot:
        app.transcript.add(Entry("a", AssistantText("see /usr/lib/python3/dist-packages/x.py there")))
        await pilot.pause()

        await pilot.double_click(Transcript, offset=(5, 2))
        await pilot.pause()

        assert app.copied == ["/usr/lib/python3/dist-packages/x.py"]


async def test_a_double_click_beside_words_copies_nothing():
    app = Copying()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(2))
        await pilot.pause()

        for place in ((7, 0), (40, 0), (5, 1), (5, 8)):
            await pilot.double_click(Transcript, offset=place)
            await pilot.pause()

        assert app.copied == []
        assert not app.screen.get_selected_text()


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("some", "some words that are wrapped where the window ends"),
        ("window", "some words that are wrapped where the window ends"),
        ("if so", "    if so:"),
        ("return", "        return 'aaa bbb ccc ddd eee'"),
        ("eee", "        return 'aaa bbb ccc ddd eee'"),
    ],
)
async def test_a_triple_click_copies_the_line_as_it_was_written(word: str, line: str):
    app = Copying()
    async with app.run_test(size=(30, 12)) as pilot:
        code = "    if so:\n        return 'aaa bbb ccc ddd eee'"
        prose = "some words that are wrapped where the window ends"
        app.transcript.add(Entry("a", AssistantText(f"{prose}\n\n```py\n{code}\n```")))
        await pilot.pause()
        row = next(row for row, text in enumerate(shown(app.transcript)) if word in text)

        await pilot.triple_click(Transcript, offset=(4, row))
        await pilot.pause()

        assert app.copied[-1] == line
        assert app.screen.get_selected_text() == line


async def test_a_double_click_on_what_folds_is_one_click():
    app = Copying()
    output = "\n".join(map(str, range(20)))
    async with app.run_test(size=(60, 30)) as pilot:
        app.transcript.add(Entry("c", ToolCall("Ran", "make", "completed", 3, output)))
        await pilot.pause()

        await pilot.double_click(Transcript, offset=(5, 0))
        await pilot.pause()

        assert not app.transcript.document.slot("c").folded
        assert app.copied == []
        assert not app.screen.get_selected_text()


async def test_a_selection_that_ends_below_the_transcript_ends_with_the_last_row_in_sight():
    app = Framed()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(40))
        await pilot.pause()
        app.transcript.show_line(10)
        await pilot.pause()
        await dragged(pilot, (2, 8), (20, 11))

        marked = app.screen.get_selected_text()
        app.transcript.show_line(40)
        await pilot.pause()

        assert marked == "entry 9 line 0\n\nentry 10 line 0"
        assert app.screen.get_selected_text() == marked


async def test_a_selection_that_ends_above_the_transcript_begins_with_the_first_row_in_sight():
    app = Framed()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.styles.margin = (2, 0, 0, 0)
        app.transcript.add(*numbered(40))
        await pilot.pause()
        app.transcript.show_line(10)
        await pilot.pause()
        await dragged(pilot, (9, 6), (2, 0))

        assert app.screen.get_selected_text() == "entry 5 line 0\n\nentry 6 line 0\n\nentry 7"
