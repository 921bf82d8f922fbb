"""Words are never taken for an answer, and none of their letters is lost."""

from pathlib import Path

from textual.events import Paste

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.questions import SHELL, asked
from tui.app import WakefulApp
from tui.widgets.prompt import Prompt
from tui.widgets.question import QuestionPanel


def wait_for_words(app: WakefulApp) -> None:
    """However slowly they are typed from here on."""
    panel = app.query_one(QuestionPanel)
    panel.grace = panel.alone = 3_600.0


async def test_keys_typed_as_the_question_comes_up_stay_in_the_prompt(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot, grace=3_600.0)

        await type_text(pilot, "ya")

        assert app.query_one(QuestionPanel).question
        assert app.query_one(Prompt).text == "ya"


async def test_what_is_typed_and_taken_back_in_the_grace_is_taken_back(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot, grace=3_600.0)

        await pilot.press("y", "e", "backspace", "a", "enter")
        await until(pilot, lambda: app.prompt.text == "ya")

        assert app.query_one(QuestionPanel).question


async def test_escape_wins_over_the_grace(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot, grace=3_600.0)

        await pilot.press("escape")

        await until(pilot, lambda: "held" in screen_text(app))


async def test_a_key_that_begins_a_word_answers_nothing(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)
        wait_for_words(app)

        await type_text(pilot, "also")
        await until(pilot, lambda: app.prompt.text == "also")

        assert app.query_one(QuestionPanel).question


async def test_words_meant_for_the_prompt_do_not_answer_an_open_question(tmp_path: Path):
    model = Scripted([said("", ("ask_user", {"question": "Which?", "choices": ["red", "blue"]})), said("ok")])
    async with running(tmp_path, model=model) as (app, pilot):
        await asked(app, pilot, grace=3_600.0)

        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(pilot, lambda: app.prompt.text == "hello")

        assert app.query_one(QuestionPanel).question


async def test_a_paste_goes_into_the_prompt_and_the_question_keeps_the_keys(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)

        app.post_message(Paste("some words"))
        await until(pilot, lambda: "pasted into the prompt" in screen_text(app))
        await pilot.press("y")
        await until(pilot, lambda: "done" in screen_text(app))

        assert app.prompt.text == "some words"


async def test_a_word_and_an_enter_however_late_allow_nothing(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")]), size=(80, 24)) as (
        app,
        pilot,
    ):
        await asked(app, pilot)

        await type_text(pilot, "more")
        await pilot.press("enter")
        await until(pilot, lambda: "typed into the prompt" in screen_text(app))

        assert app.prompt.text == "more"
        assert app.query_one(QuestionPanel).question


async def test_after_words_an_answer_is_chosen_anew(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)

        await type_text(pilot, "more")
        await pilot.press("down", "enter")

        await until(pilot, lambda: "done" in screen_text(app))


async def test_a_command_typed_at_a_question_keeps_all_its_letters(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)
        wait_for_words(app)

        await type_text(pilot, "/permissions")
        await until(pilot, lambda: app.prompt.text == "/permissions")

        assert app.query_one(QuestionPanel).question


async def test_escape_wins_over_an_answer_just_given(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)
        wait_for_words(app)

        await pilot.press("y", "escape")

        await until(pilot, lambda: "held" in screen_text(app))
        assert app.prompt.text == ""


async def test_a_click_as_the_question_comes_up_answers_nothing(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot, grace=3_600.0)
        await until(pilot, lambda: "Yes, once" in screen_text(app))

        await pilot.click("#choices", offset=(6, 0))
        await pilot.pause()

        assert app.query_one(QuestionPanel).question
