"""Where keys go while a question is open and something else is looked at or written."""

import asyncio
from pathlib import Path

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.questions import EDIT, SHELL, asked
from tui.widgets.choices import Choices
from tui.widgets.lines import Edge
from tui.widgets.question import QuestionPanel


async def test_a_click_on_the_conversation_leaves_the_question_its_keys(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)

        await pilot.click("#transcript", offset=(10, 2))
        await pilot.press("y")

        await until(pilot, lambda: "done" in screen_text(app))


async def test_a_key_typed_while_reading_answers_an_open_question(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", SHELL), said("done")])) as (app, pilot):
        await asked(app, pilot)

        await pilot.press("alt+up", "n")
        await until(pilot, lambda: "why? the agent reads it" in screen_text(app))

        assert app.prompt.text == ""


async def test_a_question_waits_until_the_plan_is_left(tmp_path: Path, project: Path):
    go_on = asyncio.Event()
    add = ("todo_add", {"items": [{"title": "buy wool"}]})
    model = Scripted([said("", add), (go_on, *said("", SHELL)), said("done")])
    async with running(tmp_path, model=model) as (app, pilot):
        app.query_one(QuestionPanel).grace = 0.0
        await pilot.press("g", "o", "enter")
        await until(pilot, lambda: "buy wool" in screen_text(app))
        await pilot.press("alt+t")
        go_on.set()
        await until(pilot, lambda: "esc comes back here to answer" in screen_text(app))

        await pilot.press("s")
        await until(pilot, lambda: "▶ buy wool" in screen_text(app))
        assert app.prompt.text == ""
        await pilot.press("escape")

        await until(pilot, lambda: app.query_one(QuestionPanel).has_focus)


async def test_a_todo_is_typed_to_its_end_while_a_question_waits(tmp_path: Path, project: Path):
    go_on = asyncio.Event()
    model = Scripted([(go_on, *said("", SHELL)), said("done")])
    async with running(tmp_path, model=model) as (app, pilot):
        app.query_one(QuestionPanel).grace = 0.0
        await pilot.press("g", "o", "enter", "alt+t", "n")
        await type_text(pilot, "buy")
        go_on.set()
        await until(pilot, lambda: "Yes, once" in screen_text(app))

        await type_text(pilot, " yarn")
        await pilot.press("enter")
        await until(pilot, lambda: "○ buy yarn" in screen_text(app))
        await pilot.press("alt+t", "y")

        await until(pilot, lambda: "done" in screen_text(app))


async def test_a_question_waits_until_a_search_has_ended(tmp_path: Path, project: Path):
    go_on = asyncio.Event()
    model = Scripted([(go_on, *said("", SHELL)), said("done")])
    async with running(tmp_path, model=model) as (app, pilot):
        app.query_one(QuestionPanel).grace = 0.0
        await pilot.press("g", "o", "enter", "ctrl+f")
        await type_text(pilot, "need")
        go_on.set()
        await until(pilot, lambda: "Yes, once" in screen_text(app))

        await type_text(pilot, "les")
        assert app.search_bar.words == "needles"
        await pilot.press("escape")
        await until(pilot, lambda: app.query_one(QuestionPanel).has_focus)
        await pilot.press("y")

        await until(pilot, lambda: "done" in screen_text(app))


async def test_an_open_question_is_lit_only_while_it_has_the_keys(tmp_path: Path, project: Path):
    async with running(tmp_path, model=Scripted([said("", EDIT), said("done")])) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))
        choices, edge = app.query_one(Choices), app.query_one(Edge)
        lit = choices.rows(80), edge.rows(1)

        await pilot.press("alt+up")
        await until(pilot, lambda: "esc comes back here to answer" in screen_text(app))
        unlit = {style for row in (*choices.rows(80), *edge.rows(1)) for _, style in row}
        await pilot.press("escape")
        await until(pilot, lambda: "esc comes back" not in screen_text(app))

        dim, blank = app.ink.style("dim", "input"), app.ink.style("text", "input")
        assert unlit <= {dim, blank}
        assert (choices.rows(80), edge.rows(1)) == lit
        assert app.query_one(QuestionPanel).question


async def test_half_of_the_screen_is_for_reading_beside_a_long_proposal(tmp_path: Path, project: Path):
    edit = ("edit", {"path": "calc.py", "old": "return a + b", "new": "return a - b\n" * 40})
    (project / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    model = Scripted([said("one\n\n" * 20, edit)])
    async with running(tmp_path, size=(80, 24), model=model) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "Yes, once" in screen_text(app))

        await pilot.press("alt+up")

        await until(pilot, lambda: app.transcript.size.height >= 11)
        assert "Yes, once" in screen_text(app)
