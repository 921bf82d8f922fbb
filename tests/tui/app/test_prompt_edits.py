"""The prompt under any edits: the cursor stays in the text and in sight, whatever is undone or resized."""

import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.document._wrapped_document import WrappedDocument
from textual.events import Key, Paste
from textual.pilot import Pilot

from tests.tui.app.still import Scene, StillApp
from tui.widgets.prompt import Prompt

KEYS = (
    *("a", "b", "c", "x", "alt+enter", "alt+enter", "alt+enter", "ctrl+z", "ctrl+z", "ctrl+y", "ctrl+y"),
    *("backspace", "delete", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+x", "ctrl+v", "alt+e", "alt+d"),
    *("up", "down", "left", "right", "home", "end", "shift+up", "shift+down", "shift+left", "shift+home"),
)
SIZES = ((80, 24), (120, 40), (60, 20), (200, 60), (20, 10))
PASTES = (
    "one\ntwo\nthree",
    "a long line of words " * 12,
    "語" * 90,
    "\n".join(map(str, range(40))),
    "\n" * 6,
)


@asynccontextmanager
async def writing(tmp_path: Path, size: tuple[int, int]) -> AsyncGenerator[tuple[Prompt, Pilot[int]], None]:
    app = StillApp(tmp_path, Scene())
    async with app.run_test(size=size) as pilot:
        await app.played.wait()
        yield app.prompt, pilot


def faults(prompt: Prompt) -> list[str]:
    """What is wrong with what is seen of the text."""
    found: list[str] = []
    row, column = prompt.cursor_location
    if row >= prompt.document.line_count or column > len(prompt.document.get_line(row)):
        found.append(f"the cursor is outside of the text: {prompt.cursor_location}")
    fresh = WrappedDocument(prompt.document, prompt.wrap_width, prompt.indent_width)
    if prompt.wrapped_document.lines != fresh.lines:
        found.append(f"lines end elsewhere than at {prompt.wrap_width}: {prompt.wrapped_document.lines}")
        return found
    _, y = prompt.wrapped_document.location_to_offset(prompt.cursor_location)
    seen = range(prompt.scroll_offset.y, prompt.scroll_offset.y + prompt.content_size.height)
    if y not in seen:
        found.append(f"the cursor is in line {y}, of which {seen} are seen")
    return found


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_line_that_alt_enter_begins_is_in_sight(tmp_path: Path, size: tuple[int, int]):
    async with writing(tmp_path, size) as (prompt, pilot):
        for _ in range(20):
            await pilot.press("alt+enter")

            assert faults(prompt) == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_many_lines_are_undone_one_by_one(tmp_path: Path, size: tuple[int, int]):
    async with writing(tmp_path, size) as (prompt, pilot):
        await pilot.press(*("a", "alt+enter") * 14)

        await pilot.press(*["ctrl+z"] * 28)

        assert prompt.text == ""


async def test_the_bar_of_a_long_prompt_lies_in_it_and_moves_no_line_end(tmp_path: Path):
    async with writing(tmp_path, (80, 24)) as (prompt, pilot):
        before = prompt.wrap_width

        prompt.put("line\n" * 20)
        await pilot.pause()

        assert prompt.show_vertical_scrollbar
        assert prompt.wrap_width == before
        assert prompt.styles.scrollbar_background == prompt.styles.background


@pytest.mark.parametrize(
    ("times", "marked"), [(2, "ünder_score"), (3, "one ünder_score, [pasted 20 lines]")], ids=["word", "line"]
)
async def test_clicks_in_a_row_mark_the_word_then_the_line(tmp_path: Path, times: int, marked: str):
    async with writing(tmp_path, (80, 24)) as (prompt, pilot):
        prompt.put("one ünder_score, ")
        prompt.paste("\n".join(map(str, range(20))))

        await pilot.click(prompt, offset=(7, 0), times=times)

        start, end = prompt.selection
        assert prompt.get_text_range(start, end) == marked


async def test_two_clicks_mark_a_word_that_stands_for_a_paste_as_a_whole(tmp_path: Path):
    async with writing(tmp_path, (80, 24)) as (prompt, pilot):
        pasted = "\n".join(map(str, range(20)))
        prompt.paste(pasted)

        await pilot.click(prompt, offset=(4, 0), times=2)

        assert prompt.selected_text == pasted


async def test_two_clicks_behind_the_text_mark_its_last_word(tmp_path: Path):
    async with writing(tmp_path, (80, 24)) as (prompt, pilot):
        prompt.put("one two")

        await pilot.click(prompt, offset=(40, 0), times=2)

        assert prompt.selected_text == "two"


async def test_any_edits_and_sizes_keep_the_cursor_in_the_text_and_in_sight(tmp_path: Path):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    async with writing(tmp_path, (80, 24)) as (prompt, pilot):
        done: list[object] = []
        for _ in range(250):
            done.append(await act(prompt, pilot, rng))

            assert faults(prompt) == [], f"seed {seed}, after {done[-8:]}"


async def act(prompt: Prompt, pilot: Pilot[int], rng: random.Random) -> object:
    chance = rng.random()
    done: object
    if chance < 0.06:
        done = text = rng.choice(PASTES)
        prompt.post_message(Paste(text))
    elif chance < 0.1:
        done = size = rng.choice(SIZES)
        await pilot.resize_terminal(*size)
    else:
        key, times = rng.choice(KEYS), rng.choice((1, 1, 1, 4, 14))
        done = f"{times} {key}"
        for _ in range(times):
            prompt.post_message(Key(key, key if len(key) == 1 else None))
    await pilot.pause()
    return done
