import asyncio
import gc
import os
from random import Random

import pyte
from textual import events
from textual._compositor import Compositor
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from tui.compositing import FrugalCompositor, FrugalScreen

ROUNDS = 100


class Crowded(App[None]):
    """Widgets beside, below, over and half out of sight of each other."""

    CSS = """
    Screen { layers: below over; }
    #row { height: 8; margin: 1 2; padding: 1; border: round white; }
    #row Static { width: 1fr; height: 3; margin: 0 1; }
    #tall { height: 6; }
    #tall Static { height: 5; }
    #over { layer: over; dock: right; width: 15; height: 12; offset: -3 2; }
    """

    def get_default_screen(self) -> Screen[object]:
        return FrugalScreen(id="_default")

    def compose(self) -> ComposeResult:
        with Horizontal(id="row"):
            yield Static("left\nwords", id="left")
            yield Static("right 日本語\nwords", id="right")
        with VerticalScroll(id="tall"):
            for number in range(4):
                yield Static(f"{number} of many\n" * 5)
        yield Static("over the others\n" * 9, id="over")


async def test_what_is_covered_or_unchanged_makes_no_difference_when_left_out():
    seed = int(os.environ.get("WAKEFUL_SEED", Random().randrange(1 << 30)))
    print(f"seed {seed}")
    random = Random(seed)
    app = Crowded()
    async with app.run_test(size=(50, 20)) as pilot:
        tall = app.query_one("#tall")
        frugal = app.screen._compositor  # pyright: ignore[reportPrivateUsage]
        assert isinstance(frugal, FrugalCompositor)
        before = frugal.get_offset(tall.children[0])
        tall.scroll_to(y=3, animate=False)
        while frugal.get_offset(tall.children[0]) == before:
            await pilot.pause()
        thorough = Compositor()
        thorough.reflow(app.screen, app.size)
        drawn = [each.render_full_update().render_segments(app.console) for each in (frugal, thorough)]
        assert drawn[0] == drawn[1]

        for _ in range(ROUNDS):
            dirty = [_somewhere(random) for _ in range(random.randint(1, 3))]

            assert _painted(frugal, dirty, app) == _painted(thorough, dirty, app)


async def test_frames_come_by_the_timer_of_the_frugal_screen_alone():
    app = Crowded()
    async with app.run_test(size=(50, 20)) as pilot:
        app.query_one("#left", Static).update("other words")
        await pilot.pause()

        timers = {timer.name for timer in app.screen._timers}  # pyright: ignore[reportPrivateUsage]

    assert "frames" in timers
    assert "screen_update" not in timers


def _somewhere(random: Random) -> Region:
    x, y = random.randrange(50), random.randrange(20)
    return Region(x, y, random.randint(1, 50 - x), random.randint(1, 20 - y))


def _painted(compositor: Compositor, dirty: list[Region], app: App[None]) -> list[list[pyte.screens.Char]]:
    """What a terminal shows that held something else before."""
    compositor._dirty_regions.update(dirty)  # pyright: ignore[reportPrivateUsage]
    update = compositor.render_partial_update()
    assert update is not None
    screen = pyte.Screen(50, 20)
    stream = pyte.Stream(screen)
    stream.feed("x" * 50 * 20 + update.render_segments(app.console))
    return [[screen.buffer[y][x] for x in range(50)] for y in range(20)]


async def test_lines_that_are_seen_no_more_are_gone_without_a_search_for_garbage():
    app = Crowded()
    async with app.run_test(size=(60, 20)) as pilot:
        gc.disable()
        try:
            before = _strips()
            for number in range(ROUNDS):
                app.query_one("#left", Static).update(f"now\n{number}")
                await pilot.pause()
            assert _strips() - before < ROUNDS
        finally:
            gc.enable()


def _strips() -> int:
    return sum(isinstance(each, Strip) for each in gc.get_objects())


class Told(Static):
    """Remembers the size it was told last."""

    told = Size(0, 0)

    def on_resize(self, event: events.Resize) -> None:
        self.told = event.size


class Sided(App[None]):
    CSS = """
    Told { width: 1fr; height: 1fr; }
    #side { width: 20; height: 1fr; display: none; }
    """

    def get_default_screen(self) -> Screen[object]:
        return FrugalScreen(id="_default")

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Told("main", id="main")
            with Vertical(id="side"):
                yield Told("beside", id="beside")


async def test_a_place_looked_up_before_a_layout_hides_no_new_size():
    app = Sided()
    async with app.run_test(size=(60, 10)) as pilot:
        main, beside = app.query_one("#main", Told), app.query_one("#beside", Told)
        for turns in range(6):
            app.query_one("#side").display = False
            await pilot.pause()
            # What is not on the screen and wants to be painted makes Textual build its map anew.
            beside.refresh()
            await pilot.pause()

            app.query_one("#side").display = True
            for _ in range(turns):
                await asyncio.sleep(0)
            _ = main.region
            await pilot.pause()

            assert (main.told, beside.told) == (Size(40, 10), Size(20, 10)), f"looked up after {turns} turns"
