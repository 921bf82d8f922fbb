"""Answers to choose from, and words of one's own."""

from pathlib import Path

from textual.widgets import Input

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.questions import asked
from tui.widgets.choices import Choices


def asking(question: str, *choices: str) -> Scripted:
    return Scripted([said("", ("ask_user", {"question": question, "choices": choices})), said("ok")])


async def test_an_answer_is_shown_whole(tmp_path: Path):
    long = f"PostgreSQL, {'which is more work than it seems, ' * 5}and so on"
    async with running(tmp_path, size=(200, 40), model=asking("Which?", "SQLite", long)) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "and so on" in screen_text(app))


async def test_more_answers_than_are_in_sight_are_counted_and_stand_in_one_column(tmp_path: Path):
    model = asking("Which?", *(f"colour {number}" for number in range(1, 31)))
    async with running(tmp_path, size=(80, 24), model=model) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "1-10 of 30" in screen_text(app))
        shown = screen_text(app).split("\n")
        places = {row.index("colour") for row in shown if "colour" in row}
        assert len(places) == 1


async def test_what_enter_would_give_is_marked(tmp_path: Path):
    model = asking("Which?", "red", "blue")
    async with running(tmp_path, model=model) as (app, pilot):
        await asked(app, pilot, grace=0.01)
        choices = app.query_one(Choices)
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert choices.chosen

        await pilot.press("2")
        await until(pilot, lambda: choices.chosen and choices.chosen.label == "blue")
        await pilot.press("backspace")
        await type_text(pilot, "green")
        await until(pilot, lambda: "enter answers with what you typed" in screen_text(app))
        await pilot.press("down")
        assert choices.chosen is None
        await pilot.press("enter")

        await until(pilot, lambda: len(model.requests) == 2)
        assert "green" in str(model.requests[-1].messages)


async def test_without_answers_to_choose_one_row_is_between_question_and_field(tmp_path: Path):
    async with running(tmp_path, model=asking("What is its name?")) as (app, pilot):
        await asked(app, pilot)

        await until(pilot, lambda: "type your answer" in screen_text(app))
        rows = screen_text(app).split("\n")
        question = next(at for at, row in enumerate(rows) if row.startswith("▌ What is its name?"))
        assert "type your answer" in rows[question + 2]


async def test_an_answer_leads_to_the_end_of_the_conversation(tmp_path: Path):
    ask = ("ask_user", {"question": "Which?", "choices": ["red", "blue"]})
    model = Scripted([said("one\n\n" * 60, ask), said("so be it")])
    async with running(tmp_path, model=model) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "red" in screen_text(app))
        await pilot.press("ctrl+home")
        await until(pilot, lambda: not app.transcript.following)

        await pilot.press("down", "enter")

        await until(pilot, lambda: "so be it" in screen_text(app))
