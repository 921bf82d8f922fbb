import re
from pathlib import Path

from textual.pilot import Pilot

from store import sessions
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.screens.rows import Rows


async def say(tmp_path: Path, text: str) -> None:
    """A session in which this was done."""
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, text)
        await pilot.press("enter")
        await until(pilot, lambda: "all done" in screen_text(app))
        await pilot.press("ctrl+d")


async def open_list(app: WakefulApp, pilot: Pilot[int]) -> Rows:
    await until(pilot, lambda: app.stage)
    await type_text(pilot, "/sessions")
    await pilot.press("enter")
    await until(pilot, lambda: "Sessions of this folder" in screen_text(app))
    return app.screen.query_one(Rows)


async def stored(app: WakefulApp) -> list[str]:
    assert app.stage
    return [each.title for each in await app.stage.opened.store.read(sessions.listed, None)]


async def test_a_wide_screen_shows_what_is_in_the_session_the_list_stands_at(tmp_path: Path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "README.md").write_text("# Demo\n\nA small demo.\n")
    await say(tmp_path, "survey this project")

    async with running(tmp_path, size=(140, 40)) as (app, pilot):
        rows = await open_list(app, pilot)
        await pilot.press("down")

        await until(pilot, lambda: "5/5 · 5 completed" in screen_text(app))
        assert rows.row
        assert rows.row.label == "survey this project"
        assert "5/5" in rows.row.detail
        assert rows.row.detail in screen_text(app)
        plan = re.findall(r"✓ .*#(\d)", screen_text(app))
        assert plan == sorted(plan, reverse=True)

        await pilot.press("enter")
        await until(pilot, lambda: "Survey of this project" in screen_text(app))


async def test_a_narrow_screen_shows_it_below_the_list(tmp_path: Path):
    await say(tmp_path, "find the TODO comments")

    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await open_list(app, pilot)
        await pilot.press("down")

        await until(pilot, lambda: re.search(r"find the TODO .* ago(.|\n)*▌ find the TODO", screen_text(app)))


async def test_a_session_is_deleted_when_it_was_asked_for_twice(tmp_path: Path):
    await say(tmp_path, "find the TODO comments")

    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await open_list(app, pilot)
        await pilot.press("down", "ctrl+x")
        await until(pilot, lambda: "again deletes it for good" in screen_text(app))
        await pilot.press("up", "down", "ctrl+x")
        assert "find the TODO comments" in await stored(app)

        await pilot.press("ctrl+x")

        await until(pilot, lambda: "it is gone" in screen_text(app))
        assert "find the TODO comments" not in await stored(app)


async def test_escape_takes_a_deletion_back_before_it_closes_the_list(tmp_path: Path):
    await say(tmp_path, "find the TODO comments")

    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await open_list(app, pilot)
        await pilot.press("down", "ctrl+x")
        await until(pilot, lambda: "again deletes it for good" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Sessions of this folder" in screen_text(app))
        await pilot.press("escape")

        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert "find the TODO comments" in await stored(app)


async def test_the_session_one_is_in_cannot_be_deleted(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_list(app, pilot)
        await pilot.press("ctrl+x", "ctrl+x")

        await until(pilot, lambda: "the session you are in" in screen_text(app))
        assert len(await stored(app)) == 1


async def test_a_session_is_renamed_in_the_list(tmp_path: Path):
    await say(tmp_path, "find the TODO comments")

    async with running(tmp_path) as (app, pilot):
        rows = await open_list(app, pilot)
        await pilot.press("down", "ctrl+r")
        await until(pilot, lambda: "Another title" in screen_text(app))
        await pilot.press("ctrl+u")
        await type_text(pilot, "old comments")
        await pilot.press("enter")

        await until(pilot, lambda: rows.row and rows.row.label == "old comments")
        assert "old comments" in await stored(app)
        assert opening(tmp_path).paths.database.exists()
