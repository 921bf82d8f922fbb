"""Pictures in the prompt."""

from pathlib import Path

import pytest
from textual.events import Paste

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.test_pictures import PNG


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    path = tmp_path / "project" / "a shot.png"
    path.write_bytes(PNG)
    return path


async def test_a_pasted_path_is_a_word_and_the_model_sees_the_picture(tmp_path: Path, picture: Path):
    model = Scripted([said("a cat")])
    async with running(tmp_path, model=model) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "what is ")
        app.prompt.post_message(Paste(f"'{picture}' "))
        await until(pilot, lambda: app.prompt.text == "what is [image a shot.png] ")

        await pilot.press("enter")
        await until(pilot, lambda: "a cat" in screen_text(app))

        assert "[a shot.png]" in screen_text(app)
        (content,) = [each.get("content") for each in model.requests[0].messages if each["role"] == "user"]
        assert isinstance(content, list)
        assert content[1]["type"] == "image_url"
        assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")
        assert str(picture) in content[0]["text"]


async def test_a_typed_path_is_one_too_and_a_missing_one_stays_a_word(tmp_path: Path, picture: Path):
    picture.rename(picture.with_name("shot.png"))
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await type_text(pilot, "missing.png and shot.png ")
        await until(pilot, lambda: app.prompt.text == "missing.png and [image shot.png] ")


async def test_what_is_typed_right_behind_a_pasted_path_is_no_part_of_it(tmp_path: Path, picture: Path):
    model = Scripted([said("a cat")])
    async with running(tmp_path, model=model) as (app, pilot):
        await until(pilot, lambda: app.stage)
        app.prompt.post_message(Paste(f"'{picture}'"))
        await until(pilot, lambda: "[image" in app.prompt.text)

        await type_text(pilot, "what is it")
        await pilot.press("enter")
        await until(pilot, lambda: "a cat" in screen_text(app))

        assert f"{picture} what is it" in str(model.requests[0].messages)


async def test_a_model_without_eyes_is_said_to_have_none(tmp_path: Path, picture: Path):
    picture.rename(picture.with_name("shot.png"))
    model = Scripted([said("sorry")])
    async with running(tmp_path, model=model, model_name="openai/gpt-3.5-turbo") as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "see shot.png")
        await pilot.press("enter")

        await until(pilot, lambda: "sorry" in screen_text(app))
        assert "cannot see pictures" in screen_text(app)
        assert "image_url" not in str(model.requests[0].messages)
