"""What is being written in the plan is in sight and is not lost, whatever happens to the list meanwhile."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.todos.actors import USER
from store.records import Progress, Todo
from tests.tui.app.pilots import running, screen_text, until
from tests.tui.app.still import Scene, StillApp
from tests.tui.plan.plans import NOW, todo

FIRST, SECOND = todo(1, "Boil"), todo(2, "Brew")
ENDED = todo(3, "Buy tea", status="completed", completed_at=NOW)
PLAN = Scene(todos=(FIRST, SECOND, ENDED))


async def becomes(pilot: Pilot[int], *todos: Todo) -> None:
    app = pilot.app
    assert isinstance(app, StillApp)
    app.show_plan(todos, Progress(1, len(todos)))
    await pilot.pause()


@pytest.mark.parametrize("before", [("end", "up", "left", "home"), ("slash", *"pending", "enter")])
async def test_a_title_stays_in_sight_when_its_todo_is_finished_and_out_of_sight(
    tmp_path: Path, before: tuple[str, ...]
):
    app = StillApp(tmp_path, PLAN)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", *before, "e", "end", *"ing")

        await becomes(pilot, SECOND, replace(FIRST, status="completed", completed_at=NOW + 1), ENDED)

        assert "Boiling" in screen_text(app)
        assert "Buy tea" not in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "Boil" not in screen_text(app)


@pytest.mark.parametrize(("key", "words"), [("e", "Boiling"), ("b", "ing")])
async def test_the_words_for_a_todo_that_was_deleted_become_another_one(tmp_path: Path, key: str, words: str):
    app = StillApp(tmp_path, PLAN)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", "home", key, "end", *"in")

        await becomes(pilot, SECOND, ENDED)
        await pilot.press("g")
        await pilot.pause()

        assert words in screen_text(app)
        assert "#1 was deleted; this becomes a new todo" in " ".join(
            line[83:].strip() for line in screen_text(app).split("\n")
        )


async def test_what_was_not_changed_goes_with_its_todo(tmp_path: Path):
    app = StillApp(tmp_path, PLAN)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", "home", "e")

        await becomes(pilot, SECOND, ENDED)

        assert "Boil" not in screen_text(app)
        assert "#1 was deleted" in screen_text(app)


async def test_nothing_is_lost_on_enter(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await pilot.press("alt+t", "n", *"Boil", "enter")
        await until(pilot, lambda: "#1" in screen_text(app))
        await pilot.press("e", "end", *"ing")
        assert app.stage
        await app.stage.session.agenda.service.delete(USER, [1])
        await until(pilot, lambda: "#1 was deleted" in screen_text(app))

        await pilot.press("enter")

        await until(pilot, lambda: "○ Boiling" in screen_text(app) and "#2" in screen_text(app))
