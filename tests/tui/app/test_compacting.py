import asyncio
from pathlib import Path

from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from tests.agent.context.jobs import Job, files, is_wish
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.widgets.question import QuestionPanel


async def test_a_summary_is_seen_before_it_is_made_and_can_be_told_what_matters(tmp_path: Path):
    job = Job(steps=3)
    async with running(tmp_path, model=job.model) as (app, pilot):
        app.query_one(QuestionPanel).grace = 0.0
        files(tmp_path / "project", 3, 6_000)
        await type_text(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: "all read" in screen_text(app))
        await type_text(pilot, "/compact")
        await pilot.press("enter")
        await until(pilot, lambda: "Summarise the conversation?" in screen_text(app))
        for words in ("goes in     5 messages with 3 tool results", "asked       go", "what matters most"):
            assert words in screen_text(app)
        assert not job.wishes

        await pilot.press("w")
        await type_text(pilot, "the names")
        await pilot.press("enter")
        await until(pilot, lambda: "compacted: " in screen_text(app))

        assert "all read" in screen_text(app)
        assert "Summary of what came before" in screen_text(app)
        assert screen_text(app).count("compacted: ") == 1
    assert "special care: the names" in str(job.wishes[0].messages[-1])
    assert [is_wish(request) for request in job.model.requests].count(True) == 1


async def test_no_wake_comes_while_a_command_of_the_user_waits_for_an_answer(tmp_path: Path):
    gate = asyncio.Event()
    plan = said("", ("todo_add", {"title": "first"}))

    def answer(request: Request) -> Answer:
        if is_wish(request):
            return said("THE SUMMARY")
        return plan if len(model.requests) == 1 else (gate, *said("Enough for now."))

    model = Scripted(answer)
    async with running(tmp_path, model=model) as (app, pilot):
        app.query_one(QuestionPanel).grace = 0.0
        await type_text(pilot, "go")
        await pilot.press("enter")
        await until(pilot, lambda: len(model.requests) == 2)
        await type_text(pilot, "/compact")
        await pilot.press("enter")
        await until(pilot, lambda: "Summarise the conversation?" in screen_text(app))

        gate.set()
        await until(pilot, lambda: "waiting for your answer" in screen_text(app))
        await pilot.press("y")
        await until(pilot, lambda: "compacted: " in screen_text(app))

        assert "refused" not in screen_text(app)
