from agent.events import RetryWaiting, TextDelta
from tests.tui.transcript.screens import Reader, flushed, shown
from tui.transcript.feed import Feed


async def test_only_the_last_of_several_tries_is_told():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(RetryWaiting(1, 1, "reset", 7))
        feed.show(TextDelta(7, 1, "half a "))
        feed.show(RetryWaiting(2, 2, "reset", 7))
        feed.show(TextDelta(7, 2, "whole"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "  the reply broke off (reset); trying again in 2 s",
            "  whole",
        ]
