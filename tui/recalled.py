"""What was said and done before, over the rest of the app: searched in all sessions, and gone back to."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from tui.bindings import Keyed, key_for
from tui.transcript.ink import Ink
from tui.widgets.activity import Activity

if TYPE_CHECKING:
    from agent.commands.results import Found, Points
    from store.search import Hit
    from tui.screens.rewind import RewindScreen
    from tui.screens.search import SearchScreen
    from tui.stage import Stage
    from tui.transcript.view import Transcript
    from tui.widgets.prompt import Prompt


class Recalled(Keyed):
    """Derive, and call `reach` when a session is there."""

    ink: Ink
    prompt: Prompt
    _sought: Hit | None = None

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @property
    @abstractmethod
    def transcript(self) -> Transcript: ...

    def find(self, found: Found) -> None:
        from tui.screens.search import SearchScreen

        screen = SearchScreen(self.ink, found.words, found.hits)

        def chosen(number: str | None) -> None:
            if number is not None:
                self._open(screen.hits[int(number)])

        self.push_screen(screen, chosen)

    def action_rewind(self) -> None:
        """The second in a row asks where to; the first only says so, as it may have come too late to hold."""
        said = self.stage and self.stage.session.journal.messages
        if not (self.stage and said) or self.prompt.text or not self.prompt.has_focus:
            return
        line = self.screen_stack[0].query_one(Activity)
        again = f"{key_for(self, 'rewind')} again goes back to an earlier message"
        if line.noted == again:
            line.note("")
            self.stage.submit("/rewind")
        else:
            line.note(again, "dim")

    def go_back(self, points: Points) -> None:
        from tui.screens.rewind import RewindScreen

        def chosen(line: str | None) -> None:
            if line and self.stage:
                self.stage.submit(line)

        self.push_screen(RewindScreen(self.ink, points.title, points.options), chosen)

    def reach(self, stage: Stage) -> None:
        """A session is there; it may have been opened for something that was found in it."""
        sought, self._sought = self._sought, None
        if sought and sought.session_id == stage.session.id and sought.kind == "message":
            stage.start(self._show(stage, sought.id))

    def on_search_screen_asked(self, message: SearchScreen.Asked) -> None:
        if self.stage:
            self.stage.start(self._look(self.stage, message.screen, message.words))

    def on_rewind_screen_asked(self, message: RewindScreen.Asked) -> None:
        if self.stage:
            self.stage.start(self._survey(self.stage, message.screen, message.line))

    async def _look(self, stage: Stage, screen: SearchScreen, words: str) -> None:
        screen.show(words, await stage.look_for(words))

    async def _survey(self, stage: Stage, screen: RewindScreen, line: str) -> None:
        if outlook := await stage.outlook(int(line.split()[1])):
            screen.show(line, outlook)

    def _open(self, hit: Hit) -> None:
        stage = self.stage
        if stage is None:
            return
        if hit.session_id is None or (hit.kind == "todo" and hit.session_id == stage.session.id):
            stage.say(f"#{hit.id} is on the plan ({hit.detail.replace('_', ' ')}); alt+t goes there")
        elif hit.session_id == stage.session.id:
            stage.start(self._show(stage, hit.id))
        else:
            self._sought = hit
            stage.submit(f"/resume {hit.session_id}")

    async def _show(self, stage: Stage, message_id: int) -> None:
        await stage.load_older(until=message_id)
        if self.transcript.show_message(message_id):
            self.transcript.focus(scroll_visible=False)
