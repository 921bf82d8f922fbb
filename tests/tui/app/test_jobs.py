"""Commands in the background are seen while they run, and are not ended without a word."""

from pathlib import Path

from textual.pilot import Pilot

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp

JOB = ("shell", {"command": "sleep 1000", "background": True})


def model() -> Scripted:
    return Scripted([said("", JOB), said("It runs.")])


async def started(app: WakefulApp, pilot: Pilot[int]) -> None:
    await type_text(pilot, "serve")
    await pilot.press("enter")
    await until(pilot, lambda: "It runs." in screen_text(app) and "1 job runs" in screen_text(app))


async def test_leaving_asks_twice_while_a_job_runs_and_names_it_in_the_end(tmp_path: Path):
    async with running(tmp_path, model=model(), auto=True) as (app, pilot):
        await started(app, pilot)

        await pilot.press("ctrl+d")
        await until(pilot, lambda: "1 job (sleep 1000) would end; ctrl+d again leaves" in screen_text(app))
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app.farewell is not None)

        assert app.farewell is not None
        worded = app.farewell.worded(elsewhere=False, unicode=True)
        assert worded == "ended 1 job: sleep 1000 · wakeful -c goes on"


async def test_another_session_is_begun_only_when_the_user_ends_the_job(tmp_path: Path):
    async with running(tmp_path, model=model(), auto=True) as (app, pilot):
        await started(app, pilot)
        here = app.stage and app.stage.session.id

        for answer in ("n", "y"):
            await type_text(pilot, "/new")
            await pilot.press("enter")
            await until(pilot, lambda: "1 job runs in the background: sleep 1000. End" in screen_text(app))
            assert app.stage is not None
            assert app.stage.session.id == here
            await pilot.pause(0.6)
            await pilot.press(answer)
            await until(pilot, lambda: "End them and go?" not in screen_text(app))

        await until(pilot, lambda: app.stage is not None and app.stage.session.id != here)
        assert "job runs" not in screen_text(app)
