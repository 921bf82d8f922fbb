"""One session at the prompt, from its opening to the user's leaving, whichever way either goes."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from agent.following import open_follower
from agent.opening import Opened, Opening, open_session
from store import sessions
from store.errors import SessionBusyError
from store.messages import count
from store.records import Session as SessionRecord
from tui.escapes import speaks_unicode
from tui.repl.following import follow
from tui.repl.last_exchange import last_exchange
from tui.repl.lines import INTERRUPTED, LineReader, Lines, spoken_state
from tui.repl.palette import read_palette
from tui.repl.paper import Abilities, Paper
from tui.repl.talk import Talk
from tui.repl.telling import Telling
from tui.signals import handled
from tui.talk import Ending, Role, first_status, leave

_HELP = "/help lists the commands, @ names a file, ! runs a command, ctrl+d leaves"


@dataclass(slots=True)
class _Told:
    """What an earlier sitting has printed, which nobody needs to read again."""

    lines: set[str] = field(default_factory=set[str])
    session: str = ""


@dataclass(slots=True)
class _Typed:
    """What nobody has read yet, for the session that is opened next; `queued` waited for the agent."""

    lines: list[str]
    queued: tuple[str, ...] = ()
    draft: str = ""

    def hand_over(self, talk: Talk) -> None:
        for text in self.queued:
            talk.session.inbox.add(text)
        for line in self.lines:
            # Without a PROMPT it is empty, which is no Enter of the user's.
            if line.strip():
                talk.submit(line)
        self.lines, self.queued = [], ()

    def take_over(self, talk: Talk, ending: Opening) -> None:
        """What waited in a session that is left for another one is told, since it was said to that one."""
        self.lines = talk.ahead
        if ending.resume == talk.session.id:
            self.queued = (*talk.session.steering, *talk.session.queued)
        else:
            talk.tell_unsent()


async def sit(opening: Opening, prompt: str, *, linear: bool) -> int:
    """Sessions one after the other, as `/resume` and the like ask for it; returns the exit status."""
    ending: Ending = opening
    told, typed = _Told(), _Typed([prompt])
    # What was typed ahead is for whichever session is open by then.
    reader = LineReader(sys.stdin.fileno())
    while isinstance(ending, Opening):
        wanted = ending
        try:
            async with open_session(wanted) as opened:
                ending = await _sitting(opened, typed, told, reader, linear=linear)
                await leave(opened, ending)
        except SessionBusyError as busy:
            if not wanted.attended:
                raise
            ending = await _following(wanted, busy.session_id, reader, linear=linear)
    return ending


async def _following(opening: Opening, session_id: str, reader: LineReader, *, linear: bool) -> Ending:
    """Until the other process ends or the user leaves."""
    lines = Lines(sys.stdout)
    left: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def end(status: int) -> None:
        if not left.done():
            left.set_result(status)

    async with open_follower(opening, session_id) as follower:
        telling = Telling(_paper("auto", styled=not linear, spoken=linear), words=linear)
        with handled(lambda: end(INTERRUPTED), end), reader:
            took_over = await follow(follower, telling, lines, reader, left)
        return follower.takeover(opening) if took_over else left.result()


async def _sitting(opened: Opened, typed: _Typed, told: _Told, reader: LineReader, *, linear: bool) -> Ending:
    try:
        if not opened.session.questions.attended:
            return await _piped(opened, typed, reader)
        if linear:
            return await _linear(opened, typed, told, reader)
        return await _screen(opened, typed, told)
    except BaseExceptionGroup as errors:
        # Whatever failed first is told as the one thing it is.
        raise errors.exceptions[0] from errors


async def _screen(opened: Opened, typed: _Typed, told: _Told) -> Ending:
    # prompt-toolkit costs 90 ms, which line by line is not needed.
    from tui.repl.completing import Offers
    from tui.repl.screen import Screen, tick

    paper = _paper(_glyphs(opened), styled=True)
    screen = Screen(paper)
    ending: list[Ending] = []

    def end(how: Ending) -> None:
        ending.append(how)
        screen.leave(0)

    with opened.session.subscribe(merged=True) as events:
        async with asyncio.TaskGroup() as tasks:
            talk = Talk(opened, Telling(paper), screen, tasks, await first_status(opened), end)
            await _greet(talk, told)
            background = [
                tasks.create_task(talk.follow(events)),
                tasks.create_task(tick(screen, talk)),
                tasks.create_task(_working(opened)),
            ]
            typed.hand_over(talk)
            offers = Offers(talk.offering)
            try:
                with handled(screen.interrupted, screen.leave):
                    status = await screen.run(talk, offers, await talk.history(), typed.draft)
            except EOFError:
                status = 0
            finally:
                for task in background:
                    task.cancel()
                talk.cancel()
    how = ending[0] if ending else status
    if isinstance(how, Opening):
        typed.take_over(talk, how)
        typed.draft = screen.taken()
    else:
        screen.write(talk.farewell())
    return how


async def _linear(opened: Opened, typed: _Typed, told: _Told, reader: LineReader) -> Ending:
    paper = _paper(_glyphs(opened), styled=False, spoken=True)
    lines = Lines(sys.stdout)
    ending: list[Ending] = []

    def end(how: Ending) -> None:
        ending.append(how)
        lines.leave(0)

    with opened.session.subscribe(merged=True) as events:
        async with asyncio.TaskGroup() as tasks:
            telling = Telling(paper, words=True, echo=False)
            talk = Talk(opened, telling, lines, tasks, await first_status(opened), end)
            await _greet(talk, told)

            async def follow() -> None:
                async for event in events:
                    talk.hear(event)
                    if sentence := spoken_state(event, talk):
                        talk.say(sentence)

            background = [tasks.create_task(follow()), tasks.create_task(_working(opened))]
            typed.hand_over(talk)
            try:
                with handled(lambda: lines.interrupted(talk), lines.leave):
                    status = await lines.run(talk, reader)
            finally:
                for task in background:
                    task.cancel()
                talk.cancel()
    how = ending[0] if ending else status
    if isinstance(how, Opening):
        typed.take_over(talk, how)
    else:
        lines.write(talk.farewell())
    return how


async def _piped(opened: Opened, typed: _Typed, reader: LineReader) -> Ending:
    """Each line is run to its end before the next is read; nobody is there to be asked."""
    lines = Lines(sys.stdout)
    ending: list[Ending] = []
    failed = False
    with opened.session.subscribe(merged=True) as events:
        async with asyncio.TaskGroup() as tasks:
            telling = Telling(_paper(_glyphs(opened), styled=False), words=True)
            talk = Talk(opened, telling, lines, tasks, await first_status(opened), ending.append)
            following = tasks.create_task(talk.follow(events))
            with reader, handled(talk.interrupt, ending.append):
                line: str | None = typed.lines.pop() if typed.lines else ""
                while line is not None and not ending:
                    if line.strip():
                        await talk.take(line)
                        outcome = await opened.session.run(until_idle=True)
                        failed |= outcome.ending == "failed"
                        if outcome.ending == "interrupted" and not ending:
                            ending.append(130)
                    line = await reader.next() if not ending else None
            opened.session.hint()
            opened.session.bus.close()
            await following
            talk.settle()
            lines.write(talk.tell_ended())
    return ending[0] if ending else int(failed)


async def _working(opened: Opened) -> None:
    await opened.session.run()


async def _greet(talk: Talk, told: _Told) -> None:
    opened = talk.opened
    record = await opened.store.read(sessions.get, talk.session.id)
    place = Path(record.workspace)
    where = f"~/{place.relative_to(Path.home())}" if place.is_relative_to(Path.home()) else record.workspace
    talk.say(f"Wakeful · {opened.model_name} · {record.agent} · {where}", "accent")
    lines: list[tuple[str, Role]] = [(_HELP, "faint"), *((notice, "waiting") for notice in opened.notices)]
    for line, role in lines:
        if line not in told.lines:
            talk.say(line, role)
    told.lines.update(line for line, _ in lines)
    if record.id == told.session:
        # It was opened again, with other settings: all of it is on screen already.
        talk.telling.plan.known(talk.session.agenda.service.snapshot.todos)
    else:
        await _recall(talk, record)
    told.session = record.id


async def _recall(talk: Talk, record: SessionRecord) -> None:
    """The last exchange and the plan, for those who come back."""
    messages = talk.session.journal.messages
    if messages:
        number = await talk.opened.store.read(count, record.id)
        talk.say(f"continuing {record.title or record.id}: {number} messages", "accent")
    talk.recall(last_exchange(messages))


def _glyphs(opened: Opened) -> str:
    return opened.loaded.config.ui.glyphs


def _paper(glyphs: str, *, styled: bool, spoken: bool = False) -> Paper:
    unicode = glyphs == "unicode" or (glyphs == "auto" and speaks_unicode(sys.stdout))
    colour = styled and not os.environ.get("NO_COLOR")
    return Paper(Abilities(colour, styled, unicode, spoken), read_palette(), _columns)


def _columns() -> int:
    return shutil.get_terminal_size().columns
