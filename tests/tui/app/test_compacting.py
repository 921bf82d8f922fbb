from pathlib import Path

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
    assert "special care: the names" in str(job.wishes[0].messages[-1])
    assert [is_wish(request) for request in job.model.requests].count(True) == 1
