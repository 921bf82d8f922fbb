from pathlib import Path

from agent.journal import Journal
from agent.models.scripted import Scripted, said
from store import sessions
from store.database import open_store
from tests.agent.openings import opening, stage
from tests.tui.app.pilots import running, screen_text, until


async def test_after_a_kill_the_app_keeps_and_marks_what_was_half_said_and_says_what_was_cut(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one")])) as told:
        await told.ask("begin")
        session_id = told.opened.session.id
    async with open_store(opening(tmp_path).paths.database) as store:
        # As a killed process leaves it: a reply without an end, in a session that says it runs.
        await store.write(sessions.set_state, session_id, "running", "working")
        journal = Journal(store, session_id, agent="build", model="scripted")
        await journal.load()
        await journal.begin_reply()
        await journal.stream("text", "half of an answer")

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "the last turn was interrupted" in screen_text(app))
        shown = [line.strip() for line in screen_text(app).splitlines()]

    at = next(number for number, line in enumerate(shown) if line.startswith("half of an answer"))
    assert any(line.startswith("interrupted") for line in shown[at + 1 : at + 3])
