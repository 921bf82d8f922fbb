"""What the mouse marks, and what of it is copied."""

from textual import events
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.selection import Selection

from tests.tui.transcript.screens import Reader, shown
from tui.transcript.entries import AssistantText, Entry, ToolCall, UserMessage
from tui.transcript.view import CopyRequested
from tui.widgets.activity import Activity


class Copying(Reader):
    def __init__(self) -> None:
        super().__init__()
        self.copied: list[str] = []

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.copied.append(message.text)


class Framed(Copying):
    """With a line of words below the transcript, as in the app."""

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
    card = ToolCall("Ran", "x", "completed", None, line, f"@@ -0,0 +1 @@\n+{line}\n")
    for width in range(16, 40):
        app = Reader()
        async with app.run_test(size=(width, 20)) as pilot:
            app.transcript.add(Entry("a", card), Entry("b", UserMessage("abcdefghijklmnopqrst" * 2)))
            app.transcript.document.fold(app.transcript.document.slot("a"), folded=False)
            app.transcript.settle()
            await pilot.pause()

            assert everything(app).endswith(f"\n{line}\n{line}\n\n{'abcdefghijklmnopqrst' * 2}")


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
