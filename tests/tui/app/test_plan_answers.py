"""What keys do in the plan is answered there, whatever becomes of the list."""

from pathlib import Path

from textual.pilot import Pilot

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until

ITEMS = [{"title": "Cook"}, {"title": "Wash up"}, {"title": "Peel", "parent_id": 1}]


def planner() -> Scripted:
    return Scripted([said("", ("todo_add", {"items": ITEMS})), said("Planned.")])


async def seen(pilot: Pilot[int], shown: str) -> None:
    await until(pilot, lambda: shown in screen_text(pilot.app))


async def unseen(pilot: Pilot[int], shown: str) -> None:
    await until(pilot, lambda: shown not in screen_text(pilot.app))


async def ask_for_a_plan(pilot: Pilot[int]) -> None:
    await type_text(pilot, "plan")
    await pilot.press("enter")
    await seen(pilot, "Planned.")
    await pilot.press("escape", "alt+t")


async def write(pilot: Pilot[int], *titles: str) -> None:
    await pilot.press("alt+t")
    for title in titles:
        await pilot.press("n")
        await type_text(pilot, title)
        await pilot.press("enter")
        await seen(pilot, title)


async def test_the_last_todo_that_is_deleted_can_be_had_back(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await write(pilot, "Alone")

        await pilot.press("d")
        await seen(pilot, "u undoes it")
        assert "Nothing planned yet" in screen_text(app)

        await pilot.press("u")
        await seen(pilot, "○ Alone")


async def test_a_parent_takes_its_subtasks_along_and_says_so(tmp_path: Path):
    async with running(tmp_path, model=planner()) as (_, pilot):
        await ask_for_a_plan(pilot)

        await pilot.press("home", "d")

        await seen(pilot, "deleted #1 Cook and 1 subtask")


async def test_what_the_agent_did_is_taken_back_only_by_a_second_key(tmp_path: Path):
    async with running(tmp_path, model=planner()) as (app, pilot):
        await ask_for_a_plan(pilot)

        await pilot.press("u")
        await seen(pilot, "build did this: added")
        assert "○ Cook" in screen_text(app)

        await pilot.press("u")
        await seen(pilot, "Nothing planned yet")


async def test_what_is_looked_for_is_not_folded_away(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await write(pilot, "Alone")
        await pilot.press("space")
        await seen(pilot, "1 done")
        await pilot.press("home", "left")
        await unseen(pilot, "Alone")

        await pilot.press("slash", *"done", "enter")
        await seen(pilot, "✓ Alone")

        await pilot.press("escape")
        await unseen(pilot, "Alone")


async def test_a_new_todo_that_the_filter_hides_is_told_of(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await write(pilot, "Alone")
        await pilot.press("slash", *"alone", "enter", "n")
        await type_text(pilot, "Other")
        await pilot.press("enter")

        await seen(pilot, "#2 is there; the filter hides it")


async def test_a_todo_keeps_a_title(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await write(pilot, "Alone")

        await pilot.press("e", "ctrl+u", "enter")
        await seen(pilot, "a title has one letter at least")

        await pilot.press("escape")
        await seen(pilot, "○ Alone")


async def test_what_is_left_open_below_a_finished_one_is_said_once(tmp_path: Path):
    items = [*ITEMS, {"title": "Cut", "parent_id": 1}]
    model = Scripted([said("", ("todo_add", {"items": items})), said("Planned.")])
    async with running(tmp_path, model=model) as (app, pilot):
        await ask_for_a_plan(pilot)

        await pilot.press("home", "space")

        await seen(pilot, "#3 and #4 are")
        assert screen_text(app).count("warning:") == 1


async def test_an_undo_says_where_the_todo_is_now(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await write(pilot, "Alone")
        await pilot.press("x")
        await seen(pilot, "1 cancelled")

        await pilot.press("u")

        await seen(pilot, "undone: #1 Alone: pending again,")
        await pilot.press("enter")
        await seen(pilot, "undo: pending again")


async def test_left_on_what_is_finished_folds_all_of_it(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await write(pilot, "Alone")
        await pilot.press("space")
        await seen(pilot, "✓ Alone")

        await pilot.press("end", "left")

        await unseen(pilot, "✓ Alone")
        assert "1 done" in screen_text(app)


async def test_an_empty_list_offers_no_keys_for_todos(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await pilot.press("alt+t")

        await seen(pilot, "n new")
        assert "e edit" not in screen_text(app)


async def test_starting_a_blocked_todo_says_which_reason_was_dropped(tmp_path: Path):
    async with running(tmp_path) as (_, pilot):
        await write(pilot, "Ship it")
        await pilot.press("b")
        await type_text(pilot, "the key of Ann")
        await pilot.press("enter")
        await seen(pilot, "the key of Ann")

        await pilot.press("s")

        await seen(pilot, "was blocked: the key of Ann")
        await seen(pilot, "u undoes it")
