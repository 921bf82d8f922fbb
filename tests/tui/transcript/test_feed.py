from agent.events import Failed, RetryWaiting, TextDelta
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
            "  the reply broke off (reset) and was asked for again",
            "  whole",
        ]


async def test_a_reply_that_never_came_is_told_once_and_with_a_way_on():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(TextDelta(7, 1, "half a "))
        for attempt in range(1, 6):
            feed.show(RetryWaiting(attempt, 2, "cannot reach localhost:9", 7))
        feed.show(Failed("transient", "cannot reach localhost:9"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "▌ cannot reach localhost:9",
            "▌ type to try again, or choose another model: /model, /setup",
        ]


async def test_a_key_that_is_missing_is_asked_for_in_the_app():
    app = Reader()
    async with app.run_test(size=(80, 12)) as pilot:
        feed = Feed(app.transcript)

        feed.show(Failed("auth", "no key for x", "set X_API_KEY or run `wakeful config set-key x`"))
        await flushed(pilot, app.transcript)

        assert [row for row in shown(app.transcript) if row] == [
            "▌ no key for x",
            "▌ set X_API_KEY or use /setup",
        ]
