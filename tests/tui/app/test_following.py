import gc
from contextlib import AsyncExitStack
from pathlib import Path

from agent.models.scripted import Scripted, said
from store import sessions
from store.records import Usage
from tests.agent.openings import stage
from tests.tui.app.pilots import running, screen_text, until
from tui import collecting
from tui.followed import PLACEHOLDER
from tui.transcript.view import Transcript
from tui.widgets.prompt import Prompt


async def test_a_second_window_follows_and_takes_over_when_the_first_ends(tmp_path: Path):
    second = Scripted([said("three")])
    async with AsyncExitStack() as window:
        told = await window.enter_async_context(stage(tmp_path, Scripted([said("one"), said("two")])))
        await told.ask("count")
        async with running(tmp_path, model=second, proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))
            await told.ask("go on")
            await until(pilot, lambda: "two" in screen_text(app))
            assert "read-only, PID" in screen_text(app)
            await pilot.press("h", "i", "enter")
            await until(pilot, lambda: "read-only: type where PID" in screen_text(app))

            await window.aclose()
            await until(pilot, lambda: app.stage is not None)
            assert app.query_one(Prompt).text == "hi"
            await pilot.press("enter")
            await until(pilot, lambda: "three" in screen_text(app))

    assert "hi" in str(second.requests[-1].messages)


async def test_garbage_is_collected_in_a_window_that_follows(tmp_path: Path):
    pace = gc.get_threshold()
    async with stage(tmp_path, Scripted([said("one")])) as told:
        await told.ask("count")
        collecting.rest()
        try:
            async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
                await until(pilot, lambda: "following, read-only" in screen_text(app))

                assert gc.isenabled()
                assert gc.get_threshold() != pace
        finally:
            gc.enable()
            gc.unfreeze()
            gc.set_threshold(*pace)


async def test_resuming_a_session_that_runs_elsewhere_follows_it_and_leads_back(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("one"), said("two")])) as told:
        await told.ask("count elsewhere")
        there = told.opened.session.id
        async with running(tmp_path, model=Scripted([said("mine")])) as (app, pilot):
            await pilot.press("h", "i", "enter")
            await until(pilot, lambda: "mine" in screen_text(app))
            assert app.stage is not None
            here = app.stage.session.id

            app.stage.submit(f"/resume {there}")
            await until(pilot, lambda: "following, read-only" in screen_text(app))
            assert "mine" not in screen_text(app)
            await told.ask("go on")
            await until(pilot, lambda: "two" in screen_text(app))

            app.query_one(Prompt).insert("/sessions")
            await pilot.press("enter")
            await until(pilot, lambda: f"/resume {here}" in screen_text(app))
            app.query_one(Prompt).insert(f"/resume {here}")
            await pilot.press("enter")
            await until(pilot, lambda: "mine" in screen_text(app))

            assert app.stage.session.id == here


async def test_the_beginning_of_a_followed_session_comes_when_one_scrolls_up(tmp_path: Path):
    async with stage(tmp_path, Scripted([said(f"answer {number}") for number in range(60)])) as told:
        for number in range(60):
            await told.ask(f"question {number}")
        async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))
            transcript = app.query_one(Transcript)
            for _ in range(5):
                transcript.scroll_home()
                await pilot.pause(0.05)
            await until(pilot, lambda: "m1" in transcript.document)


async def test_a_rewind_takes_from_the_screen_what_was_set_aside(tmp_path: Path):
    model = Scripted([said("first answer"), said("second answer")])
    async with running(tmp_path, model=model) as (app, pilot):
        for text, answer in (("a", "first answer"), ("b", "second answer")):
            await pilot.press(text, "enter")
            await until(pilot, lambda answer=answer: answer in screen_text(app))
        assert app.stage is not None

        points = [each.text for each in await app.stage.offers("/rewind ") if each.text.isdigit()]
        app.stage.submit(f"/rewind {max(points, key=int)} conversation")
        await until(pilot, lambda: "second answer" not in screen_text(app))
        await until(pilot, lambda: "first answer" in screen_text(app))


async def test_a_follower_names_no_share_of_the_context_that_only_the_owner_can_weigh(tmp_path: Path):
    answers = [said("one"), said("two", usage=Usage(40, 2))]
    async with stage(tmp_path, Scripted(answers)) as told:
        await told.ask("count")
        async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))
            await told.ask("go on")
            await until(pilot, lambda: "dormant" in screen_text(app) and "two" in screen_text(app))

            assert " %" not in screen_text(app)


async def test_the_plan_is_changed_from_a_second_window_by_keys_and_by_words(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("", ("todo_add", {"title": "Its own"})), said("one")])) as told:
        await told.ask("plan")
        service = told.opened.session.agenda.service
        async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))

            await pilot.press("alt+t", "space")
            await until(pilot, lambda: "✓ Its own" in screen_text(app))
            assert (await service.current()).by_id[1].status == "completed"

            await pilot.press("escape")
            app.query_one(Prompt).insert("/todo add From the other window")
            await pilot.press("enter")
            await until(pilot, lambda: "○ From the other window" in screen_text(app))
            assert [todo.title for todo in (await service.current()).open] == ["From the other window"]

            app.query_one(Prompt).insert("/todo done 99")
            await pilot.press("enter")
            await until(pilot, lambda: "no todo #99" in screen_text(app))
            app.query_one(Prompt).insert("/todos")
            await pilot.press("enter")
            await until(pilot, lambda: "1 pending" in screen_text(app))


def test_the_note_in_the_prompt_of_a_follower_fits_into_eighty_columns():
    assert len(PLACEHOLDER) <= 75


async def test_a_second_window_counts_the_wakes_up_to_their_limit(tmp_path: Path):
    answers = [said("", ("todo_add", {"title": "Its own"})), *(said("no") for _ in range(9))]
    async with stage(tmp_path, Scripted(answers)) as told:
        await told.ask("plan")
        woken = (await told.opened.store.read(sessions.get, told.opened.session.id)).wakes
        async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))

            assert f"wakes {woken}/{told.opened.session.limits.max_cycles}" in screen_text(app)
