"""What is new, for a reader who has gone to a place of their own."""

from tests.tui.transcript.screens import Reader, flushed, numbered, shown


async def test_nothing_is_new_to_a_reader_who_has_the_end_in_sight():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(2))
        await pilot.pause()
        app.transcript.search("entry")
        app.transcript.show_match()

        app.transcript.add(*numbered(1, start=2))
        app.transcript.stream("live", "text", "words")
        await flushed(pilot, app.transcript)

        assert not any("new" in row for row in shown(app.transcript))
        assert app.transcript.unseen == 0


async def test_whoever_ends_a_search_with_the_end_in_sight_follows_again():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(2))
        await pilot.pause()
        app.transcript.search("entry")
        app.transcript.show_match()

        app.transcript.leave_cursor()
        app.transcript.add(*numbered(20, start=2))
        await pilot.pause()

        assert shown(app.transcript)[-1].strip() == "entry 21 line 0"


async def test_whoever_ends_a_search_further_up_stays_there():
    app = Reader()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.add(*numbered(40))
        await pilot.pause()
        app.transcript.search("entry 3 ")
        app.transcript.show_match()
        await pilot.pause()
        before = shown(app.transcript)

        app.transcript.leave_cursor()
        app.transcript.add(*numbered(1, start=40))
        await pilot.pause()

        assert [row.strip("▌ ") for row in shown(app.transcript)[:-1]] == [
            row.strip("▌ ") for row in before[:-1]
        ]
        assert shown(app.transcript)[-1].endswith("↓ 1 new")
