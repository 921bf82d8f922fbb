"""Whatever a key does to the plan the mouse does too."""

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.app.pilots import running, screen_text, type_text, until

SIZES = [(120, 40), (80, 24)]


async def click(pilot: Pilot[int], shown: str) -> None:
    """On the first place where this stands on the screen."""
    await until(pilot, lambda: re.search(shown, screen_text(pilot.app)))
    for y, line in enumerate(screen_text(pilot.app).split("\n")):
        if found := re.search(shown, line):
            # Signs in front of it may be wider than one letter; there are none in these tests.
            await pilot.click(offset=(found.start(), y))
            await pilot.pause()
            return


async def seen(pilot: Pilot[int], shown: str) -> None:
    await until(pilot, lambda: re.search(shown, screen_text(pilot.app)))


async def unseen(pilot: Pilot[int], shown: str) -> None:
    await until(pilot, lambda: not re.search(shown, screen_text(pilot.app)))


async def plan(pilot: Pilot[int], *titles: str) -> None:
    for title in titles:
        await click(pilot, "n new")
        await type_text(pilot, title)
        await click(pilot, "enter keeps it")
        await seen(pilot, rf"○ {title}")


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_plan_is_written_without_a_key_but_its_words(tmp_path: Path, size: tuple[int, int]):
    async with running(tmp_path, size=size) as (_, pilot):
        await pilot.press("ctrl+t")
        await click(pilot, "Nothing planned yet")
        await plan(pilot, "Bake", "Eat")

        await click(pilot, "○ Bake")
        await seen(pilot, "✓ Bake")
        await click(pilot, "u undo")
        await seen(pilot, "○ Bake")

        await click(pilot, "Eat")
        await click(pilot, "e edit")
        await type_text(pilot, "!")
        await click(pilot, "esc drops it")
        await seen(pilot, "Eat ")
        await click(pilot, "K higher")
        await until(pilot, lambda: re.search("Eat.*Bake", screen_text(pilot.app), re.DOTALL))

        await click(pilot, "/ filter")
        await type_text(pilot, "bak")
        await unseen(pilot, "Eat")
        await click(pilot, "esc drops it")
        await seen(pilot, "Eat")


async def test_a_second_click_on_a_row_opens_it_and_one_on_the_way_back_closes_it(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await pilot.press("alt+t")
        await plan(pilot, "Bake", "Eat")

        await click(pilot, "Bake")
        await seen(pilot, "enter details")
        await click(pilot, "Bake")
        await seen(pilot, "History")
        await click(pilot, "esc back")
        await seen(pilot, "○ Eat")


async def test_what_was_said_makes_way_for_the_keys_at_a_click(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await pilot.press("alt+t")
        await plan(pilot, "Bake", "Eat")

        await click(pilot, "d delete")
        await seen(pilot, "deleted #")
        await click(pilot, "deleted #")
        await click(pilot, "u undo")

        await seen(pilot, "Bake")
        await click(pilot, "undone: ")
        await click(pilot, "d delete")
        await click(pilot, "u undoes it")
        await seen(pilot, "undone: ")
        await seen(pilot, "Bake")
        await seen(pilot, "Eat")


async def test_subtasks_are_folded_where_there_are_any(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await pilot.press("alt+t")
        await plan(pilot, "Bake")
        await unseen(pilot, "left fold")
        await click(pilot, r"message, /")
        for line in ("/todo add Knead", "/todo move 2 under 1"):
            await type_text(pilot, line)
            await pilot.press("enter")
            await seen(pilot, f"▌ {line}")
        await seen(pilot, "○ Knead")

        await click(pilot, "Bake")
        await click(pilot, "left fold")
        await unseen(pilot, "○ Knead")
        await click(pilot, "right unfold")
        await seen(pilot, "○ Knead")


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_was_begun_in_the_plan_waits_there_while_one_is_elsewhere(
    tmp_path: Path, size: tuple[int, int]
):
    async with running(tmp_path, size=size) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("alt+t", "n")
        await type_text(pilot, "Buy")
        await seen(pilot, "○ Buy")

        await click(pilot, "message, /")
        await type_text(pilot, "hello")
        await seen(pilot, "▌ hello")
        await pilot.press("alt+t")
        await type_text(pilot, " milk")
        await pilot.press("enter")

        await seen(pilot, r"○ Buy milk +#1")
        assert app.prompt.text == "hello"


async def test_a_title_that_was_being_changed_waits_too_and_an_unchanged_one_does_not(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("alt+t", "n", *"Bake", "enter")
        await seen(pilot, "○ Bake +#1")

        await pilot.press("e", "1")
        app.prompt.focus()
        await pilot.press("x", "alt+t")
        await seen(pilot, "○ Bake1")
        await pilot.press("escape")
        await seen(pilot, "○ Bake +#1")

        await pilot.press("e")
        app.prompt.focus()
        await pilot.press("alt+t", "2")
        await seen(pilot, "○ Bake +#1")
        assert not app.panel.writing
