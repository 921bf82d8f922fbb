import re
import tomllib
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.screens.settings import ChoiceScreen
from tui.screens.themes import ThemeScreen


async def open_settings(app: WakefulApp, pilot: Pilot[int], narrowed: str) -> None:
    await until(pilot, lambda: app.stage)
    await type_text(pilot, "/settings")
    await pilot.press("enter")
    await until(pilot, lambda: "Settings" in screen_text(app))
    await type_text(pilot, narrowed)
    await until(pilot, lambda: "• " in screen_text(app) or narrowed in screen_text(app))


def written(tmp_path: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads(opening(tmp_path).paths.config.read_text())


async def test_a_switch_is_turned_and_written_down(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "wake.workspace")
        assert "Whether workspace-wide todos wake every session." in screen_text(app)
        await pilot.press("enter")

        await until(pilot, lambda: "wake.workspace: saved" in screen_text(app))
        assert written(tmp_path) == {"wake": {"workspace": True}}
        assert "config.toml:2" in screen_text(app)
        assert "enter changes it  esc closes" in screen_text(app)


async def test_choices_are_listed_and_written_only_when_one_is_taken(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "ui.glyphs")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        assert re.search(r"• auto +default", screen_text(app))
        assert "Which symbols the screen is drawn with." in screen_text(app)
        await pilot.press("down", "down", "up", "down")
        assert not opening(tmp_path).paths.config.exists()
        await pilot.press("enter")

        await until(pilot, lambda: re.search(r"ui\.glyphs +ascii", screen_text(app)))
        assert written(tmp_path) == {"ui": {"glyphs": "ascii"}}


async def test_of_two_lists_in_one_place_one_is_seen(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "ui.glyphs")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await until(pilot, lambda: "changes it" not in screen_text(app))

        await pilot.press("escape")

        await until(pilot, lambda: "changes it" in screen_text(app))


async def test_a_key_takes_the_default_again_and_its_line_out_of_the_file(tmp_path: Path):
    file = opening(tmp_path).paths.config
    file.parent.mkdir(parents=True)
    file.write_text("# mine\n[wake]\nmax_cycles = 7\nstagnation = 2\n")

    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "wake.max_cycles")
        await until(pilot, lambda: "ctrl+x takes the default" in screen_text(app))
        await pilot.press("ctrl+x")

        await until(pilot, lambda: "wake.max_cycles: its default again" in screen_text(app))
        assert file.read_text() == "# mine\n[wake]\nstagnation = 2\n"
        assert re.search(r"wake\.max_cycles +25", screen_text(app))
        assert "takes the default" not in screen_text(app)


async def test_what_the_file_did_not_say_is_not_taken_out_of_it(tmp_path: Path):
    changed = {**opening(tmp_path).environment, "WAKEFUL_WAKE_COUNTDOWN": "5"}

    async with running(tmp_path, environment=changed) as (app, pilot):
        await open_settings(app, pilot, "wake.countdown")
        assert re.search(r"wake\.countdown +5 +env", screen_text(app))
        await pilot.press("ctrl+x")

        await until(pilot, lambda: "env WAKEFUL_WAKE_COUNTDOWN says so" in screen_text(app))


async def test_a_number_is_typed_and_a_bad_one_is_refused_in_place(tmp_path: Path):
    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await open_settings(app, pilot, "wake.max_cycles")
        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))
        await pilot.press("ctrl+u")
        await type_text(pilot, "many")
        await pilot.press("enter")
        await until(pilot, lambda: "should be a valid integer" in screen_text(app))
        assert "enter keeps it" in screen_text(app)
        await pilot.press("ctrl+u", "7", "enter")

        await until(pilot, lambda: "wake.max_cycles: saved" in screen_text(app))
        assert written(tmp_path) == {"wake": {"max_cycles": 7}}


async def test_where_something_else_decides_that_is_said(tmp_path: Path):
    changed = {**opening(tmp_path).environment, "WAKEFUL_WAKE_WORKSPACE": "true"}

    async with running(tmp_path, environment=changed) as (app, pilot):
        await open_settings(app, pilot, "wake.workspace")
        await pilot.press("enter")

        await until(pilot, lambda: "here env WAKEFUL_WAKE_WORKSPACE wins" in screen_text(app))


async def test_the_theme_is_chosen_among_those_there_are_and_worn_at_once(tmp_path: Path):
    colourful = {**opening(tmp_path).environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}

    async with running(tmp_path, environment=colourful) as (app, pilot):
        await open_settings(app, pilot, "ui.theme")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ThemeScreen))
        await type_text(pilot, "moss")
        await pilot.press("enter")

        await until(pilot, lambda: "ui.theme: saved" in screen_text(app))
        assert "new sessions" not in screen_text(app)
        assert app.ink.palette.title == "moss"
        assert written(tmp_path) == {"ui": {"theme": "moss"}}

        await pilot.press("ctrl+x")
        await until(pilot, lambda: app.ink.palette.title == "wakeful")


async def test_values_are_said_as_one_reads_them_and_edited_as_they_are(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "wake.max_tokens")
        await until(pilot, lambda: re.search(r"wake\.max_tokens +2,000,000", screen_text(app)))
        assert "default: 2,000,000" in screen_text(app)

        await pilot.press("enter")
        await until(pilot, lambda: "enter keeps it" in screen_text(app))

        assert app.screen.query_one(Input).value == "2000000"
        assert "Tokens an activation may use" in " ".join(screen_text(app).split())


async def test_a_list_without_anything_in_it_is_said_to_be_none(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "permissions.rules")

        await until(pilot, lambda: re.search(r"permissions\.rules +none", screen_text(app)))
