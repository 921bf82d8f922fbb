"""Enter on the empty prompt goes on with open work, in the app and in the REPL."""

import asyncio
from pathlib import Path

from agent.models.scripted import Scripted, said
from agent.opening import open_session
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from store import sessions
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, until
from tests.tui.repl.papers import paper
from tests.tui.test_two_doors import Tape
from tui.repl.talk import Talk
from tui.repl.telling import Telling
from tui.talk import first_status

DONE = [said("", ("todo_complete", {"id": 1})), said("closed it")]


async def test_a_todo_typed_in_the_app_waits_for_enter(tmp_path: Path):
    model = Scripted(DONE)
    async with running(tmp_path, model=model) as (app, pilot):
        await until(pilot, lambda: app.stage)
        app.prompt.put("/todo add ship it")
        await pilot.press("enter")
        await until(pilot, lambda: "1 open · Enter or /wake to start" in screen_text(app))
        before = len(model.requests)
        await pilot.press("enter")
        await until(pilot, lambda: "all done · 1/1" in screen_text(app))

    assert (before, len(model.requests)) == (0, 2)


async def test_enter_wakes_a_session_at_rest_and_not_one_that_was_just_stopped(tmp_path: Path):
    model = Scripted(DONE)
    async with (
        open_session(opening(tmp_path, attended=True, model=model)) as opened,
        asyncio.TaskGroup() as tasks,
    ):
        session = opened.session
        talk = Talk(opened, Telling(paper()), Tape(), tasks, await first_status(opened), lambda _: None)
        await session.agenda.service.add(USER, [Draft("ship it")])
        talk.interrupt()
        talk.submit("")
        while (await opened.store.read(sessions.get, session.id)).held_at is None:
            await asyncio.sleep(0.01)
        held = await session.run(until_idle=True)
        later = Talk(opened, Telling(paper()), Tape(), tasks, await first_status(opened), lambda _: None)
        later.submit("")
        while (await opened.store.read(sessions.get, session.id)).held_at is not None:
            await asyncio.sleep(0.01)
        talk.cancel()
        later.cancel()

    assert held.reason == "held · 1 open"
    assert model.requests == []
