"""A question is the one of the session that is open, whatever session was open before."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from agent.events import Choice, QuestionAsked
from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, until
from tests.tui.app.questions import asked
from tui.app import WakefulApp
from tui.widgets.question import QuestionPanel


async def switch(app: WakefulApp, pilot: Pilot[int], command: str) -> None:
    before = app.stage
    assert before
    if command == "/resume":
        await switch(app, pilot, "/new")
        command, before = f"/resume {before.session.id}", app.stage
    assert before
    before.submit(command)
    panel = app.query_one(QuestionPanel)
    await until(pilot, lambda: app.stage not in (before, None) or panel.question)
    if panel.question:
        await pilot.press("y")
        await until(pilot, lambda: app.stage not in (before, None) and not panel.question)


@pytest.mark.parametrize("command", ["/new", "/trust", "/fork all", "/resume"])
async def test_a_question_after_a_switch_of_sessions_is_shown_as_it_is(
    tmp_path: Path, project: Path, command: str
):
    script = [
        said("", ("shell", {"command": "echo first > one.txt"})),
        said("done"),
        said("", ("shell", {"command": "echo second > two.txt"})),
        said("done"),
    ]
    async with running(tmp_path, model=Scripted(script)) as (app, pilot):
        await asked(app, pilot)
        await until(pilot, lambda: "echo first" in screen_text(app))
        await pilot.press("y")
        await until(pilot, lambda: (project / "one.txt").exists() and "done" in screen_text(app))
        await switch(app, pilot, command)

        await asked(app, pilot)
        await pilot.pause()

        panel = app.query_one(QuestionPanel).region
        shown = "\n".join(screen_text(app).split("\n")[panel.y : panel.bottom])
        assert "echo second" in shown
        assert "echo first" not in shown


async def test_an_answer_to_a_question_of_another_session_does_nothing_but_say_so(
    tmp_path: Path, project: Path
):
    script = [said("", ("shell", {"command": "echo it > one.txt"}))]
    async with running(tmp_path, model=Scripted(script)) as (app, pilot):
        await asked(app, pilot)
        panel = app.query_one(QuestionPanel)
        open_now = panel.question
        old = QuestionAsked("q1", "permission", "run true", (Choice("once", "Yes, once", "y"),))

        panel.post_message(QuestionPanel.Answered(old, "once"))
        await until(pilot, lambda: "no longer open" in screen_text(app))

        assert panel.question is open_now
        assert not (project / "one.txt").exists()
