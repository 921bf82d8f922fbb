"""The window on a session that another process runs: all of it to be read, and the way to another session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path

from agent.bus import Subscription
from agent.commands.editing import on_list
from agent.commands.errors import CommandError
from agent.commands.results import Option, Picker
from agent.commands.sessions import find
from agent.entry import Opening
from agent.events import SessionRewound, SessionStarted, TodoUpdated
from agent.following import Follower
from agent.overview import overviews
from agent.tools.tool import ToolError
from store import messages, sessions
from store.errors import StoreError
from tui import collecting
from tui.branch import branch_of
from tui.plan.control import PlanControl
from tui.results import printed
from tui.stage import PAGE, Surface
from tui.status import Status, updated
from tui.talk import Ending
from tui.transcript.entries import UserMessage
from tui.transcript.feed import Feed
from tui.widgets.footer import Place

PLACEHOLDER = "read-only but for /todo; /sessions lists, /resume opens, ctrl+d leaves"
_LISTED = 20


class Followed:
    """`left` is set when the user goes: with an exit status, or with what to open instead."""

    def __init__(
        self,
        follower: Follower,
        opening: Opening,
        feed: Feed,
        surface: Surface,
        tasks: asyncio.TaskGroup,
        left: asyncio.Future[Ending],
    ) -> None:
        self._follower = follower
        self._opening = opening
        self._feed = feed
        self._surface = surface
        self._tasks = tasks
        self._left = left
        self.plan = PlanControl(follower.service, surface.plan(), self._start)
        self._oldest = 0
        self._paging = asyncio.Lock()

    def begin(self) -> None:
        follower, who = self._follower, self._who
        self._surface.show_title(follower.record.title)
        self._surface.show_plan(follower.todos.todos, follower.todos.progress)
        self.plan.begin()
        self._show_said()
        line = f"following, read-only: {who} runs this session; this window takes over when that ends"
        self._feed.note(line, warning=True)
        collecting.settle()

    async def retell(self, heard: Subscription) -> None:
        record = self._follower.record
        status = Status(
            state=record.state,
            reason=record.reason,
            resume="",
            wakes=record.wakes,
            max_wakes=self._follower.max_wakes,
            model=record.model,
            agent=record.agent,
            cost=record.cost,
        )
        status = replace(status, owner=self._who, since=time.monotonic() if status.working else 0.0)
        place = self._place
        self._surface.show_status(status, place)
        async for event in heard:
            if isinstance(event, SessionRewound):
                self._feed.restart()
                self._show_said()
            self._feed.show(event)
            self.plan.heard(event)
            if isinstance(event, TodoUpdated):
                self._surface.show_plan(event.todos, event.progress)
            elif isinstance(event, SessionStarted):
                self._surface.show_title(event.title)
            # A third window may have taken over. How full the context is only the owner can weigh.
            status = replace(updated(status, event, time.monotonic()), owner=self._who, context_limit=0)
            self._surface.show_status(status, place)

    def submit(self, text: str) -> None:
        """The few commands that need no session; anything else stays where it was typed."""
        word, _, rest = text.strip().partition(" ")
        match word.lower():
            case "":
                return
            case "/quit" | "/exit":
                self.leave(0)
            case "/todo" | "/todos":
                self._start(self._change_plan(text))
            case "/sessions":
                self._tasks.create_task(self._list())
            case "/resume":
                self._tasks.create_task(self._resume(rest.strip()) if rest.strip() else self._list())
            case _:
                self._feed.note(
                    f"read-only: type where {self._who} runs, or wait until that ends", warning=True
                )
                self._surface.write(text)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        self._tasks.create_task(self._guarded(work))

    async def _guarded(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except (ToolError, StoreError) as error:
            message, _, hint = str(error).partition("; ")
            self._feed.fail(message, hint)

    async def _change_plan(self, line: str) -> None:
        """The list is everybody's: the process that runs the session hears of it by the database."""
        result = await on_list(self._follower.service, line)
        assert result is not None
        self._feed.add(UserMessage(line))
        self._feed.add(printed(result, unicode=not self._surface.ink.glyphs.ascii))

    def leave(self, ending: Ending) -> None:
        if not self._left.done():
            self._left.set_result(ending)

    def load_older(self) -> None:
        self._tasks.create_task(self._load_older())

    async def _load_older(self) -> None:
        async with self._paging:
            if not self._oldest:
                return
            found = await self._follower.store.read(
                messages.load, self._follower.id, before=self._oldest, limit=PAGE
            )
            self._feed.load_older(found)
            self._oldest = found[0].id if len(found) == PAGE else 0

    async def _list(self) -> None:
        store, record = self._follower.store, self._follower.record
        found = await overviews(store, self._opening.paths.locks, record.workspace, limit=_LISTED)
        options = [
            Option(
                f"/resume {each.session.id}",
                each.title,
                ", ".join(word for word in (each.state, each.plan, f"{each.age} ago") if word),
                current=each.session.id == record.id,
            )
            for each in found
        ]
        picker = Picker("Sessions of this folder, the latest first", tuple(options))
        self._feed.add(printed(picker, unicode=not self._surface.ink.glyphs.ascii))

    async def _resume(self, wanted: str) -> None:
        here = self._follower.record.workspace
        try:
            session = find(await self._follower.store.read(sessions.listed, here), wanted, here)
        except CommandError as error:
            self._feed.fail(error.message, error.hint)
            return
        if session.id == self._follower.id:
            self._feed.note("this is the session you are in")
        else:
            self.leave(replace(self._opening, resume=session.id, proceed="new", prefer_stored=True))

    def _show_said(self) -> None:
        said = self._follower.messages
        self._oldest = said[0].id if said and self._follower.older else 0
        self._feed.load_older(said)

    @property
    def _who(self) -> str:
        return f"PID {self._follower.owner}" if self._follower.owner else "another process"

    @property
    def _place(self) -> Place:
        home, folder = str(Path.home()), self._follower.record.workspace
        shown = folder.replace(home, "~", 1) if folder.startswith(f"{home}/") else folder
        return Place(shown, branch_of(Path(folder)))
