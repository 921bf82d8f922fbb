import tomllib
from pathlib import Path

from agent.models import keys
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.widgets.prompt import Prompt


async def test_a_first_start_is_ready_to_type_and_says_what_to_try(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await type_text(pilot, "survey")
        await until(pilot, lambda: "/setup" in screen_text(app))

        text = screen_text(app)
        assert "No model is chosen yet" in text
        assert "no model is set" not in text
        assert app.query_one(Prompt).text == "survey"
        assert len(app.screen_stack) == 1


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
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/setup")
        await pilot.press("enter")
        await until(pilot, lambda: "Which model shall work" in screen_text(app))
        await type_text(pilot, "mistral")
        await pilot.press("enter")
        await until(pilot, lambda: "Key for Mistral" in screen_text(app))
        await type_text(pilot, "sk-123")
        assert "sk-123" not in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: "Model of Mistral" in screen_text(app))
        await type_text(pilot, "not-yet-known")
        await pilot.press("enter")

        await until(pilot, lambda: "mistral/not-yet-known answers from the next turn on" in screen_text(app))
        assert keys.read(paths.keys) == {"mistral": "sk-123"}
        assert tomllib.loads(paths.config.read_text()) == {"model": {"default": "mistral/not-yet-known"}}


async def test_what_is_no_key_is_refused_in_place_and_escape_leaves_everything(tmp_path: Path):
    paths = opening(tmp_path).paths

    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/setup")
        await pilot.press("enter")
        await until(pilot, lambda: "Which model shall work" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Key for Anthropic" in screen_text(app))
        await type_text(pilot, "no key")
        await pilot.press("enter")
        await until(pilot, lambda: "does not look like a key" in screen_text(app))

        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert not paths.keys.exists()
        assert not paths.config.exists()


async def test_staying_offline_is_an_answer_that_is_kept(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/setup")
        await pilot.press("enter")
        await until(pilot, lambda: "Which model shall work" in screen_text(app))
        await type_text(pilot, "stay")
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
