"""The talk with the session as the app shows it: one place turns events into calls of widgets."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.registry import is_command
from agent.commands.results import Diff, Found, Picker, Points, Result, Show
from agent.commands.rewinding import beyond
from agent.events import (
    Event,
    QuestionAsked,
    ReasoningDelta,
    SessionRewound,
    TextDelta,
    TodoUpdated,
    ToolOutput,
    TurnEnded,
    TurnStarted,
)
from agent.opening import Opened
from agent.permissions.policy import Mode
from agent.rewind.service import REASONS, RewindError
from agent.session import Session
from agent.tools.diff import shown
from store import messages, sessions
from store.records import Progress, Todo
from store.search import Hit, search
from tui.attention import calls_for
from tui.branch import branch_of
from tui.plan.control import Board, PlanControl
from tui.results import printed
from tui.shell import Ran
from tui.status import Own, Status
from tui.talk import Ending, Role, Talk
from tui.theme import theme_names, user_folder
from tui.transcript.entries import Printed, ToolCall, UserMessage
from tui.transcript.feed import Feed
from tui.transcript.highlight import warm
from tui.transcript.ink import Ink
from tui.welcome import welcome
from tui.widgets.footer import Place

if TYPE_CHECKING:
    from tui.screens.rewind import Outlook

# Messages read at a time; a first screen needs fewer.
PAGE = 60
# What is done in a shell elsewhere has a screen here.
_SHELL = re.compile(r"`wakeful config set(?:-key)? [^`]*`(?: and `wakeful config set(?:-key)? [^`]*`)*")
# What a key goes through; the rest is for those who ask for it by name.
_MODES: dict[Mode, str] = {
    "ask": "asks before it changes anything",
    "accept-edits": "edits files without asking",
    "plan": "reads and plans, and changes nothing",
}


class Surface(Protocol):
    """What the app offers to be drawn on."""

    ink: Ink

    def show_title(self, title: str) -> None: ...
    def show_status(self, status: Status, place: Place) -> None: ...
    def show_plan(self, todos: tuple[Todo, ...], progress: Progress) -> None: ...
    def show_question(self, question: QuestionAsked | None) -> None: ...
    def show_queue(self, session: Session) -> None: ...
    def plan(self) -> Board: ...
    def key(self, name: str) -> str: ...
    def pick(self, picker: Picker) -> None: ...
    def go_back(self, points: Points) -> None: ...
    def find(self, found: Found) -> None: ...
    def show_screen(self, wanted: Show) -> None: ...
    def copy_text(self, text: str) -> None: ...
    def write(self, text: str) -> None: ...
    def call(self, text: str) -> None: ...


class Stage(Talk):
    def __init__(
        self,
        opened: Opened,
        feed: Feed,
        surface: Surface,
        tasks: asyncio.TaskGroup,
        status: Status,
        leave: Callable[[Ending], None],
    ) -> None:
        super().__init__(opened, tasks, status, leave)
        self.feed = feed
        self._surface = surface
        session = opened.session
        self.plan = PlanControl(
            session.agenda.service,
            surface.plan(),
            self.start,
            jobs=opened.workshop.workspace.jobs,
            stretch=lambda: session.agenda.stretch,
            stir=session.stir,
            counted=self._count_jobs,
        )
        self._branch = branch_of(self.root)
        self._oldest: int | None = None
        self._paging = asyncio.Lock()
        self._unsaid = ""

    async def raise_curtain(self) -> None:
        """What there is before anything happens."""
        await self._retitle()
        await self.load_older()
        snapshot = self.session.agenda.service.snapshot
        self._surface.show_plan(snapshot.todos, snapshot.progress)
        self.plan.begin()
        self.greet()
        self.refresh()

    def greet(self, *more: str) -> None:
        """Where nothing was said yet stands what one could begin with; then what is worth knowing."""
        unset = self.opened.workshop.chosen.notices
        new = not self.session.journal.messages
        told = [notice for notice in self.opened.notices if not new or notice not in unset]
        if new and not unset:
            # How to choose a model is no news to those who have one by now.
            told = [notice for notice in told if "model.default" not in notice]
        told = [_SHELL.sub("/setup", notice) for notice in told]
        if new:
            key = self._surface.key
            known = {"palette": key("palette"), "keys": key("help")}
            self.feed.greet(welcome(unset=bool(unset), told=[*more, *told], **known))
        else:
            for notice in told:
                self.say(notice)
            if achieved := self.session.agenda.achieved:
                self.feed.achieve(achieved)

    async def begin_with(self, model: str) -> None:
        """Chosen before anything was said: the welcome stays, and tells who answers."""
        try:
            await execute(self.context, f"/model {model}")
        except CommandError as error:
            self.say(str(error), "bad")
            return
        self.status = replace(self.status, model=model)
        self.greet(f"{model} answers, here and in new sessions; /model has others.")

    def hush(self) -> None:
        """Nothing stands there until `greet` is called again."""
        self.feed.greet(Printed(()))

    async def load_older(self, *, all_of_them: bool = False, until: int = 0) -> None:
        """Another page of the history above what is shown, all up to a message, or the rest of it."""
        async with self._paging:
            if self._oldest == 0 or (until and self._oldest is not None and self._oldest <= until):
                return
            limit = None if all_of_them or until else PAGE
            found = await self.opened.store.read(
                messages.load, self.session.id, after=max(0, until - 1), before=self._oldest, limit=limit
            )
            self.feed.load_older(found)
            self._oldest = found[0].id if found and (until or (limit and len(found) == limit)) else 0

    async def look_for(self, words: str) -> tuple[Hit, ...]:
        return await self.opened.store.read(search, words, workspace=self.opened.workshop.record.workspace)

    async def outlook(self, number: int) -> Outlook | None:
        """What going back to before that message of the user's would do."""
        # Whoever asks has its screen open, and the others need not load it.
        from tui.screens.rewind import Outlook

        service = self.opened.workshop.rewinds
        try:
            point = await service.point(number)
        except RewindError:
            return None
        found = [each for each in await service.survey(point) if not each.is_folder]
        planned = await service.planned(point)
        return Outlook(
            f"{point.messages} message{'' if point.messages == 1 else 's'}",
            tuple(shown(self.root, each.path) for each in found if each.verdict == "restore"),
            tuple(
                (shown(self.root, each.path), REASONS[each.verdict])
                for each in found
                if each.verdict in REASONS
            ),
            beyond(point, service) if point.commands and service.ledger else "",
            f"{planned} todo{'' if planned == 1 else 's'}" if planned else "",
        )

    def next_mode(self) -> str:
        """The next of the modes that ask less and less, and what it means."""
        gate, modes = self.opened.gate, list(_MODES)
        now = gate.policy.mode
        wanted = modes[(modes.index(now) + 1) % len(modes)] if now in modes else modes[0]
        gate.policy = replace(gate.policy, mode=wanted)
        self.refresh()
        return f"{wanted}: {_MODES[wanted]}"

    def show_event(self, event: Event) -> None:
        if not self._before.working:
            # It came of the command, and belongs below it.
            self._speak()
        self.feed.show(event)
        match event:
            case TextDelta() | ReasoningDelta() | ToolOutput():
                # What streams changes nothing else on the screen, but for the word for it.
                if self.status is not self._before:
                    self._surface.show_status(self.status, self._place)
                return
            case TodoUpdated():
                self._surface.show_plan(event.todos, event.progress)
            case SessionRewound() if event.hidden or event.revealed:
                self.start(self._reread())
            case TurnStarted():
                self.start(self._retitle())
                # What the reply is drawn with takes 0.1 s to load, and keys are typed meanwhile.
                self.start(asyncio.to_thread(warm))
            case TurnEnded():
                self._branch = branch_of(self.root)
            case _:
                pass
        self.plan.heard(event)
        if call := calls_for(event, self._before):
            self._surface.call(call)
        self.refresh()

    def hear(self, event: Event) -> None:
        self._before = self.status
        super().hear(event)

    def say(self, text: str, role: Role = "faint") -> None:
        self._speak()
        if role == "bad":
            message, _, hint = text.partition("; ")
            self.feed.fail(message, hint)
        else:
            self.feed.note(text, warning=role == "waiting")

    def show_spoken(self, line: str) -> None:
        """A command waits for its answer: one that only opens a screen leaves nothing behind."""
        self._unsaid = line
        if not is_command(line) or self.lasts(line):
            self._speak()

    def end_spoken(self) -> None:
        self._speak()

    def _speak(self) -> None:
        if self._unsaid:
            line, self._unsaid = self._unsaid, ""
            self.feed.add(UserMessage(line))

    def show_result(self, result: Result) -> None:
        if isinstance(result, Picker | Found):
            self._unsaid = ""
        self._speak()
        if isinstance(result, Points):
            self._surface.go_back(result)
        elif isinstance(result, Picker):
            self._surface.pick(result)
        elif isinstance(result, Found):
            self._surface.find(result)
        elif isinstance(result, Diff):
            self.feed.add(ToolCall("Diff", result.note, "completed", diff=result.text))
        else:
            body = printed(result, unicode=not self._surface.ink.glyphs.ascii)
            self.feed.answer(body, from_the_top=not self.status.working)
            self.start(self._retitle())

    def show_screen(self, wanted: Show) -> bool:
        if not wanted.subject:
            self._unsaid = ""
        self._surface.show_screen(wanted)
        return True

    def words(self, kind: str) -> Sequence[str]:
        return theme_names(user_folder(self.opened.opening.paths)) if kind == "theme" else ()

    def draft(self, text: str) -> None:
        self._surface.write(text)

    def begin_output(self, command: str) -> str:
        name = self.feed.run(command)
        self._show_own((*self.status.own, Own(name, command, time.monotonic())))
        return name

    def show_output(self, name: str, piece: str) -> None:
        self.feed.print(name, piece)

    def look_around(self) -> None:
        """What others may have changed meanwhile."""
        self._branch = branch_of(self.root)
        self._surface.show_status(self.status, self._place)

    def end_output(self, name: str, ran: Ran | None) -> None:
        self._branch = branch_of(self.root)
        self._show_own(tuple(each for each in self.status.own if each.name != name))
        if ran is None:
            self.feed.printed(name, "interrupted")
        else:
            status, code = ("failed", f"exit code {ran.code}") if ran.code else ("completed", "")
            self.feed.printed(name, status, code or ("" if ran.output else "no output"), ran.milliseconds)

    def _count_jobs(self, jobs: int) -> None:
        self.status = replace(self.status, jobs=jobs)
        self._surface.show_status(self.status, self._place)

    def _show_own(self, running: tuple[Own, ...]) -> None:
        self.status = replace(self.status, own=running)
        self._surface.show_status(self.status, self._place)

    def copy(self, text: str) -> bool:
        self._surface.copy_text(text)
        return True

    def refresh(self) -> None:
        self._surface.show_queue(self.session)
        self._surface.show_status(self.status, self._place)
        self._surface.show_question(self.question)

    @property
    def _place(self) -> Place:
        home, folder = str(Path.home()), str(self.root)
        shown = folder.replace(home, "~", 1) if folder.startswith(f"{home}/") else folder
        return Place(shown, self._branch, self.opened.gate.policy.mode, self.session.limits.max_cost)

    async def _reread(self) -> None:
        """What was set aside leaves the screen; it comes back with an undo."""
        # What going back did is told before or after this, and stays.
        self.feed.add(*self.feed.restart())
        self._oldest = None
        await self.load_older()

    async def _retitle(self) -> None:
        record = await self.opened.store.read(sessions.get, self.session.id)
        self._surface.show_title(record.title)
