"""The app: bindings, widgets, and one worker that runs the session. Everything else has a home of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen

from agent.entry import Opening
from tui import collecting
from tui.asked import Asked
from tui.attention import Presence, notification, window_title
from tui.bindings import NONE, first_key, wished_keys
from tui.compositing import FrugalScreen
from tui.instant.opened import Started
from tui.internals import write_to_terminal
from tui.leaving import Leaving
from tui.overlaid import Overlaid
from tui.plan.planned import Planned
from tui.recalled import Recalled
from tui.signals import handled
from tui.theme import Palette
from tui.transcript.ink import Ink
from tui.widgets.activity import Activity
from tui.widgets.drawn import Drawn, Hint
from tui.widgets.footer import Footer, Place
from tui.widgets.header import Header
from tui.widgets.mark import Mark
from tui.widgets.menu import MenuView
from tui.widgets.queue import QueueView

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from tui.farewell import Farewell
    from tui.instant.early import Early
    from tui.instant.terminal import Terminal
    from tui.plan.control import PlanControl
    from tui.stage import Stage
    from tui.status import Status
    from tui.talk import Ending
    from tui.transcript.view import Transcript
    from tui.widgets.question import QuestionPanel
    from tui.widgets.search import SearchBar

# Rows from which on there is air, and below which the prompt needs what is left.
TALL, LOW = 30, 6
_BEHIND = (
    "tui.transcript.view",
    "tui.plan.panel",
    "tui.widgets.question",
    "tui.widgets.search",
    "agent.opening",
    "tui.farewell",
    "tui.hosting",
    "tui.transcript.feed",
)


class WakefulApp(Started, Asked, Planned, Leaving, Overlaid, Recalled):
    CSS_PATH = "styles.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "hold", "Interrupt and hold", id="hold"),
        Binding("escape", "rewind", "Go back, twice while nothing runs or is typed", id="rewind"),
        Binding("shift+tab", "mode", "Ask, accept edits, or plan only", id="mode", priority=True),
        Binding("ctrl+c", "stop", "Interrupt, or leave", id="stop", priority=True),
        Binding("ctrl+d", "leave", "Leave", id="leave", priority=True),
        Binding("ctrl+l", "redraw", "Draw the screen anew", id="redraw"),
        Binding("tab", "focus_next", "Next part of the screen", id="next-part"),
    ]

    def __init__(
        self,
        opening: Opening,
        ink: Ink,
        prompt: str = "",
        *,
        terminal: Terminal | None = None,
        early: Early | None = None,
    ) -> None:
        """Without a terminal of its own it runs on whatever Textual finds."""
        self.ink, self.terminal, self.early = ink, terminal, early
        super().__init__(ansi_color=not ink.palette.exact)
        self.wear_keys(wished_keys(opening.paths, opening.assignments))
        self.failure: BaseException | None = None
        self.presence = Presence()
        self.farewell: Farewell | None = None
        self._opening = opening
        self._signals = ExitStack()
        self._title = ""
        self._window = ""
        self._stage: Stage | None = None
        self._furnished = False
        self.begun = bool(prompt)
        self.expect(opening.paths.state_folder, opening.root, prompt)

    @property
    def stage(self) -> Stage | None:
        return self._stage

    @property
    def base(self) -> Screen[object]:
        """The one below whatever lies over it."""
        return self.screen_stack[0]

    @property
    def transcript(self) -> Transcript:
        self.furnish()
        return self._transcript

    @property
    def search_bar(self) -> SearchBar:
        self.furnish()
        return self._search_bar

    @property
    def question_panel(self) -> QuestionPanel:
        self.furnish()
        return self._question_panel

    @property
    def _hints(self) -> tuple[Hint, ...]:
        keys = ((first_key(self, "plan"), "plan"), (first_key(self, "palette"), "commands"))
        usual = tuple(each for each in keys if each[0] != NONE)
        return (self.block_hints() if self._furnished else ()) or usual

    def get_default_screen(self) -> Screen[object]:
        # From the beginning: a class that comes later styles all of it anew.
        height = self.size.height
        return FrugalScreen(
            id="_default", classes="tall" if height >= TALL else "low" if height < LOW else None
        )

    def get_css_variables(self) -> dict[str, str]:
        return super().get_css_variables() | self.ink.palette.variables()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What the terminal cannot show is spelled or numbered; nobody else loads what does it."""
        filters = [*super().get_line_filters()]
        if self.ink.glyphs.ascii:
            from tui.sevenbit import SEVEN_BIT

            filters.append(SEVEN_BIT)
        if self.ink.palette.legible is not None:
            from tui.numbering import NUMBERING

            filters.append(NUMBERING)
        return filters

    def compose(self) -> ComposeResult:
        """The first frame and no more."""
        ink = self.ink
        yield Header(ink)
        yield Horizontal(id="body")
        yield Activity(ink)
        yield QueueView(ink)
        yield MenuView(ink)
        with Horizontal(id="entry"):
            yield Mark(ink)
            yield self.prompt
        yield Footer(ink)

    def furnish(self) -> None:
        """The rest of the screen, whose modules cost as much as Textual itself."""
        if self._furnished:
            return
        self._furnished = True
        from textual.scrollbar import ScrollBar

        from tui.transcript.view import Transcript
        from tui.widgets.question import QuestionPanel
        from tui.widgets.search import SearchBar
        from tui.widgets.thumbs import PlainThumbs, Thumbs

        ScrollBar.renderer = PlainThumbs if self.ink.glyphs.ascii else Thumbs
        ink, base = self.ink, self.base
        panel, strip = self.make_plan(ink, self._opening.paths.state_folder)
        self._transcript = Transcript(ink.palette, glyphs=ink.glyphs, id="transcript")
        self._search_bar, self._question_panel = SearchBar(ink), QuestionPanel(ink)
        base.query_one(Activity).taken = self._escape_taken
        with self.batch_update():
            base.query_one("#body").mount(self._transcript, panel)
            base.mount(strip, before="#activity")
            base.mount(self._search_bar, before="#entry")
            base.mount(self._question_panel, before="#footer")

    def on_mount(self) -> None:
        self._signals.enter_context(handled(self.action_stop, self.leave))
        self.prompt.focus()
        # Behind the focus, which is given in the same way.
        self.call_later(self.admit_keys)
        self.base.query_one(Header).show("", self._hints)
        self.call_after_refresh(self._begin)

    @work(group="start")
    async def _begin(self) -> None:
        await self.take_over()
        if self.terminal:
            from tui.instant.terminal import SAVE_TITLE

            self.terminal.titled = True
            write_to_terminal(self, SAVE_TITLE)
        self.sit()

    def looks(self) -> list[Path] | None:
        from tui.appearance import sources

        return sources(self._opening.paths, self._opening.environment, self._opening.assignments)

    def on_unmount(self) -> None:
        self.keep_draft(leaving=True)
        self._signals.close()

    def on_resize(self, event: events.Resize) -> None:
        self.base.set_class(event.size.height >= TALL, "tall")
        self.base.set_class(event.size.height < LOW, "low")
        if self._furnished:
            self._question_panel.fit(event.size)

    async def on_event(self, event: events.Event) -> None:
        self.presence.notice(event)
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded and self._stage:
            self._stage.hold_wake()
        await super().on_event(event)

    async def _dispatch_message(self, message: Message) -> None:
        """What is still on its way when the screen is gone concerns nobody any more."""
        if self.screen_stack or not self._is_mounted or isinstance(message, events.Unmount):
            await super()._dispatch_message(message)

    @work(exclusive=True, exit_on_error=False)
    async def sit(self) -> None:
        """Sessions one after the other, as `/resume` and the like ask for it."""
        collecting.go_on()
        await asyncio.to_thread(_load)
        self.furnish()
        from agent.opening import open_session
        from store.errors import SessionBusyError
        from tui.farewell import bid_farewell
        from tui.hosting import host, watch
        from tui.talk import leave
        from tui.transcript.feed import Feed

        ending: Ending = self._opening
        await self.ready_prompt()
        try:
            while isinstance(ending, Opening):
                wanted, feed = ending, Feed(self.transcript)
                try:
                    async with open_session(wanted) as opened:
                        ending = await host(opened, feed, self, self._seated)
                        await leave(opened, ending)
                        if isinstance(ending, int):
                            self.farewell = await bid_farewell(opened)
                except SessionBusyError as busy:
                    ending = await watch(wanted, busy.session_id, feed, self, self.seat_follower)
                    self.followed = None
                self._stage = None
                self.show_question(None)
                self.reclaim()
                self.transcript.clear()
        except BaseExceptionGroup as errors:
            self.failure = errors.exceptions[0]
            ending = 1
        except Exception as error:  # noqa: BLE001 told by the door, after the terminal is itself again
            self.failure = error
            ending = 1
        self.exit(ending)

    def _seated(self, stage: Stage) -> None:
        self._stage = stage
        collecting.settle()
        stage.start(self.seat_prompt(stage))
        stage.start(self.check_keys(stage))
        stage.start(self.check_theme(stage))
        stage.start(self.receive(stage))
        self.reach(stage)

    def _fatal_error(self) -> None:
        """The door tells of it in one line, and the log has the rest."""
        self.failure = self._exception
        self._close_messages_no_wait()

    def show_title(self, title: str) -> None:
        self._title = title
        self.base.query_one(Header).show(title, self._hints)

    def keys_changed(self) -> None:
        self.show_title(self._title)

    def on_descendant_focus(self) -> None:
        self.show_focus()

    def on_descendant_blur(self) -> None:
        self.show_focus()

    def show_focus(self) -> None:
        if self.base.is_mounted:
            self.base.query_one(Mark).light(lit=self.prompt.has_focus)
            self.show_title(self._title)

    def show_status(self, status: Status, place: Place) -> None:
        self.base.query_one(Activity).show(status)
        self.base.query_one(Footer).show(status, place)
        if self._furnished:
            asked = bool(self.question_panel.question)
            self.panel.heed(holding=not asked and bool(self._stage and self._stage.interruptible))
        name = window_title(self._title, status)
        if name != self._window:
            self._window = name
            write_to_terminal(self, name)

    def call(self, text: str) -> None:
        """The user is needed, and may be looking elsewhere."""
        if self.away:
            return
        if not self.app_focus:
            write_to_terminal(self, notification(text))
        if not self.app_focus or self.presence.doubtful:
            self.bell()

    def on_app_focus(self) -> None:
        """Whoever was elsewhere may have gone to another branch."""
        if self._stage:
            self._stage.look_around()

    def plan_control(self) -> PlanControl | None:
        seated = self._stage or self.followed
        return seated.plan if seated else None

    def copy_text(self, text: str) -> None:
        self.copy_to_clipboard(text)

    def wear(self, palette: Palette) -> None:
        """Another theme: everything is painted anew, nothing moves."""
        self.ink = Ink(palette, self.ink.glyphs)
        self.ansi_color = not palette.exact
        self.refresh_css(animate=False)
        self.transcript.wear(palette)
        self.panel.wear(self.ink)
        for screen in self.screen_stack:
            for widget in screen.query(Drawn):
                widget.wear(self.ink)

    def on_top_neared(self) -> None:
        if self._stage:
            self._stage.start(self._stage.load_older())
        elif self.followed:
            self.followed.load_older()

    def on_plan_view_left(self) -> None:
        """Whoever presses the key that holds means the agent too, wherever they are."""
        self._hold()

    def _escape_taken(self) -> bool:
        """Something is open that the key closes first; the menu covers the line that tells."""
        return self.panel.keeps_escape or self._search_bar.has_focus_within

    def action_hold(self) -> None:
        if not self._hold():
            raise SkipAction

    def _hold(self) -> bool:
        """From elsewhere the key leads back to an open question; there it means the agent."""
        elsewhere = self._furnished and (self._transcript.has_focus or self.panel.has_focus_within)
        if elsewhere and self.question_panel.question:
            self.focus_input()
        elif self._stage and self._stage.interruptible:
            self._stage.interrupt()
        else:
            return False
        return True

    def on_overlay_leaving(self) -> None:
        self.leave(0)

    def action_redraw(self) -> None:
        """Something else has written on the terminal."""
        self.refresh(layout=True)

    def on_overlay_soiled(self) -> None:
        self.action_redraw()

    def action_mode(self) -> None:
        """The next of the modes that ask less and less."""
        if self._stage:
            self.base.query_one(Activity).note(self._stage.next_mode(), "dim")


def _load() -> None:
    """In a thread of its own: this costs more than the first frame, and keys must not wait for it."""
    for name in _BEHIND:
        import_module(name)
