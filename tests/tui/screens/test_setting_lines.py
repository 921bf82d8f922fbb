from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.screens.test_settings import open_settings, written
from tui.app import WakefulApp


def configure(tmp_path: Path, text: str) -> None:
    file = opening(tmp_path).paths.config
    file.parent.mkdir(parents=True)
    file.write_text(text)


async def edit(app: WakefulApp, pilot: Pilot[int], key: str) -> Input:
    await open_settings(app, pilot, key)
    await pilot.press("enter")
    await until(pilot, lambda: "leaves it" in screen_text(app))
    return app.screen.query_one(Input)


async def test_one_rule_is_typed_as_it_is(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        line = await edit(app, pilot, "permissions.rules")
        assert line.value == ""
        assert 'list of text: ["…", "…"], or one as it is' in screen_text(app)
        await type_text(pilot, "shell git log*")
        await pilot.press("enter")

        await until(pilot, lambda: "permissions.rules: saved" in screen_text(app))
        assert written(tmp_path) == {"permissions": {"rules": ["shell git log*"]}}


async def test_what_is_wrong_is_told_whole_in_a_narrow_window(tmp_path: Path):
    async with running(tmp_path, size=(50, 15)) as (app, pilot):
        line = await edit(app, pilot, "permissions.rules")
        await type_text(pilot, "ls")
        await pilot.press("enter")

        told = "should be TOOL PATTERN, with allow, ask or deny before it, not 'ls'"
        await until(pilot, lambda: told in " ".join(screen_text(app).split()))
        assert line.value == "ls"
        assert "leaves it" in screen_text(app)


async def test_a_key_that_there_is_not_is_refused_and_another_acts_at_once(tmp_path: Path):
    configure(tmp_path, '[keys]\nplan = "f2"\n')

    async with running(tmp_path) as (app, pilot):
        line = await edit(app, pilot, "keys.plan")
        assert "Other keys for what keys.md lists" in screen_text(app)
        line.value = "zzz"
        await pilot.press("enter")
        await until(pilot, lambda: "there is no key 'zzz'" in screen_text(app))
        line.value = "f7"
        await pilot.press("enter")

        await until(pilot, lambda: "keys.plan: saved" in screen_text(app))
        assert "new sessions" not in screen_text(app)
        assert app.keymap == {"plan": "f7"}


async def test_a_variable_has_the_name_in_it_that_it_is_for(tmp_path: Path):
    configure(tmp_path, '[providers.box]\nbase_url = "http://localhost:1/v1"\n')

    async with running(tmp_path) as (app, pilot):
        await open_settings(app, pilot, "providers.box.base_url")

        await until(pilot, lambda: "WAKEFUL_PROVIDERS_BOX_BASE_URL" in screen_text(app))
