import tomllib
from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.models import catalog, keys
from tests.agent.openings import opening
from tests.provider.server import Provider
from tests.tui.app.pilots import running, screen_text, setup_seen, type_text, until
from tui.app import WakefulApp
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row, Rows
from tui.setup import PROVIDERS
from tui.widgets.prompt import Prompt


async def open_setup(app: WakefulApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: app.stage)
    await type_text(pilot, "/setup")
    await pilot.press("enter")
    await until(pilot, lambda: setup_seen(app))


async def stand_on(app: WakefulApp, pilot: Pilot[int], label: str) -> None:
    """By keys, wherever in the list it is."""
    rows = app.screen.query_one(Rows)
    while rows.row and rows.row.label != label:
        await pilot.press("down")


async def test_a_start_without_a_model_is_ready_to_type_and_says_what_to_try(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await type_text(pilot, "survey")
        await until(pilot, lambda: "/setup" in screen_text(app))

        text = screen_text(app)
        assert "No model is chosen yet" in text
        assert "no model is set" not in text
        assert app.query_one(Prompt).text == "survey"
        assert len(app.screen_stack) == 1


async def test_a_session_that_goes_on_without_a_model_is_led_to_the_screen_for_it(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "survey this project")
        await pilot.press("enter")
        await until(pilot, lambda: "all done" in screen_text(app))

    async with running(tmp_path, proceed="newest") as (app, pilot):
        await until(pilot, lambda: "to change that: /setup" in screen_text(app))
        assert "wakeful config" not in screen_text(app)


async def test_with_a_model_chosen_nothing_is_said_of_setting_one_up(tmp_path: Path):
    file = opening(tmp_path).paths.config
    file.parent.mkdir(parents=True)
    file.write_text('[model]\ndefault = "offline"\n')

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "stops when you say so" in screen_text(app))
        assert "/setup" not in screen_text(app)


async def test_a_provider_is_set_up_with_its_key_and_a_model_that_is_not_listed(tmp_path: Path):
    paths = opening(tmp_path).paths

    async with running(tmp_path) as (app, pilot):
        await open_setup(app, pilot)
        await stand_on(app, pilot, "Mistral")
        await pilot.press("enter")
        await until(pilot, lambda: "Key for Mistral" in screen_text(app))
        await type_text(pilot, "sk-123")
        assert "sk-123" not in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: "Model of Mistral" in screen_text(app))
        assert "esc goes back" in screen_text(app)
        await type_text(pilot, "not-yet-known")
        await pilot.press("enter")

        await until(pilot, lambda: "mistral/not-yet-known answers from the next turn on" in screen_text(app))
        assert keys.read(paths.keys) == {"mistral": "sk-123"}
        assert tomllib.loads(paths.config.read_text()) == {"model": {"default": "mistral/not-yet-known"}}


async def test_what_is_no_key_is_refused_in_place_and_escape_leads_back_to_the_list(tmp_path: Path):
    paths = opening(tmp_path).paths

    async with running(tmp_path) as (app, pilot):
        await open_setup(app, pilot)
        await stand_on(app, pilot, "OpenAI")
        await pilot.press("enter")
        await until(pilot, lambda: "Key for OpenAI" in screen_text(app))
        await type_text(pilot, "no key")
        await pilot.press("enter")
        await until(pilot, lambda: "does not look like a key" in screen_text(app))

        await pilot.press("escape")
        await until(pilot, lambda: "Which model shall work" in screen_text(app))
        row = app.screen.query_one(Rows).row
        assert row is not None
        assert row.label == "OpenAI"
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert not paths.keys.exists()
        assert not paths.config.exists()


async def test_a_key_that_is_there_can_be_replaced(tmp_path: Path):
    paths = opening(tmp_path).paths
    keys.store(paths.keys, "openai", "sk-refused")

    async with running(tmp_path) as (app, pilot):
        await open_setup(app, pilot)
        await stand_on(app, pilot, "OpenAI")
        await pilot.press("enter")
        await until(pilot, lambda: "Model of OpenAI" in screen_text(app))
        await type_text(pilot, "another key")
        await until(pilot, lambda: "in place of the one that is there" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Key for OpenAI" in screen_text(app))
        await type_text(pilot, "sk-better")
        await pilot.press("enter")

        await until(pilot, lambda: "Model of OpenAI" in screen_text(app))
        assert keys.read(paths.keys) == {"openai": "sk-better"}


async def test_of_several_models_on_this_machine_one_is_chosen(tmp_path: Path):
    plain = opening(tmp_path)
    async with Provider(models=("first", "second")) as server:
        environment = {**plain.environment, "OLLAMA_HOST": f"127.0.0.1:{server.port}"}
        async with running(tmp_path, environment=environment) as (app, pilot):
            await open_setup(app, pilot)
            await until(pilot, lambda: "on this machine: first, second" in screen_text(app))
            await stand_on(app, pilot, "Ollama")
            await pilot.press("enter")
            await until(pilot, lambda: "Model of Ollama" in screen_text(app))
            await type_text(pilot, "second")
            await until(pilot, lambda: len(app.screen.query_one(Rows).shown) == 1)
            await pilot.press("enter")

            await until(pilot, lambda: "ollama/second answers from the next turn on" in screen_text(app))


async def test_models_are_narrowed_by_what_was_typed_before_they_were_found(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        screen = PickerScreen(app.ink, "Models", (), stem="")
        await app.push_screen(screen)
        await type_text(pilot, "second")
        screen.fill([Row("1", "first"), Row("2", "second")])

        assert [row.label for row in screen.query_one(Rows).shown] == ["second"]


async def test_a_letter_closes_the_list_and_lands_in_the_prompt(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_setup(app, pilot)
        await type_text(pilot, "hello")

        await until(pilot, lambda: app.query_one(Prompt).text == "hello")
        assert len(app.screen_stack) == 1


@pytest.mark.parametrize("provider", [name for name, each in PROVIDERS.items() if each.model])
def test_what_people_with_a_key_begin_with_is_known(provider: str):
    assert f"{provider}/{PROVIDERS[provider].model}" in catalog.names(provider)


async def test_staying_offline_is_an_answer_that_is_kept(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await open_setup(app, pilot)
        await stand_on(app, pilot, "Try offline")
        await pilot.press("enter")

        await until(pilot, lambda: "new sessions use offline" in screen_text(app))
        assert tomllib.loads(opening(tmp_path).paths.config.read_text()) == {"model": {"default": "offline"}}


async def test_a_model_that_is_not_listed_can_be_typed(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/model")
        await pilot.press("enter")
        await until(pilot, lambda: "Model for the next turn" in screen_text(app))
        assert "built in, no LLM" in screen_text(app)
        await type_text(pilot, "ollama/own")
        await pilot.press("enter")

        await until(pilot, lambda: "ollama/own answers from the next turn on" in screen_text(app))


async def test_another_key_stands_first_but_a_model_is_chosen(tmp_path: Path):
    keys.store(opening(tmp_path).paths.keys, "openai", "sk-refused")

    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await open_setup(app, pilot)
        await stand_on(app, pilot, "OpenAI")
        await pilot.press("enter")
        await until(pilot, lambda: "Another key" in screen_text(app))

        listed = app.screen.query_one(Rows)
        assert [row.label for row in listed.shown].index("Another key") == 0
        assert listed.chosen == 1
        await pilot.press("up")
        assert listed.row is not None
        assert listed.row.label == "Another key"
