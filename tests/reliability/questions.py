"""Sessions, questions, sizes and answers at random: what an answer allows is what the screen showed."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from agent.events import ToolFinished
from agent.models.scripted import Scripted
from agent.opening import Opened, Opening, open_session
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text
from tests.tui.approvals import TOKEN, Script, Wanted, check_words, the_one
from tests.tui.repl.papers import bare, paper
from tui.app import WakefulApp
from tui.repl import usage
from tui.repl.talk import Talk
from tui.repl.telling import Telling
from tui.stage import Stage
from tui.talk import Ending, first_status
from tui.widgets.question import QuestionPanel

NAME = "what is shown is what is answered"
SEQUENCES = 10_000
_SIZES = ((120, 40), (80, 24), (40, 12), (100, 30), (60, 18), (200, 60))
# In which the whole of a short proposal is seen beside its headline.
_ROOM = 16
_PATIENCE = 20.0
# Of the sequences, those in the line REPL.
_LINES = 0.7


@dataclass
class Count:
    questions: int = 0
    switches: int = 0
    ran: int = 0


def run(scale: float, seed: int) -> str:
    sequences = max(10, round(SEQUENCES * scale))
    lines = round(sequences * _LINES)
    counted = Count()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        asyncio.run(_app(Path(one), sequences - lines, random.Random(seed), counted))
        asyncio.run(_repl(Path(two), lines, random.Random(seed + 1), counted))
    return (
        f"{sequences} sequences, {counted.switches} switches of session, {counted.questions} questions,"
        f" {counted.ran} calls ran, 0 differences"
    )


async def _app(folder: Path, sequences: int, rng: random.Random, counted: Count) -> None:
    (folder / "project").mkdir()
    script = Script(folder / "project", rng)
    async with running(folder, model=Scripted(script.answer)) as (app, pilot):
        panel = app.query_one(QuestionPanel)
        panel.grace = 0.0
        seat = _Seat(app, pilot, panel, script, counted)
        await seat.until(lambda: app.stage)
        for number in range(sequences):
            try:
                await seat.play(rng)
            except AssertionError as error:
                raise AssertionError(f"sequence {number} in the app: {error}") from error


@dataclass
class _Seat:
    """The one app that runs, as a person at its keys and in front of its screen has it."""

    app: WakefulApp
    pilot: Pilot[int]
    panel: QuestionPanel
    script: Script
    counted: Count
    sessions: list[str] = field(default_factory=list[str])
    trusted: bool = False

    async def play(self, rng: random.Random) -> None:
        await self.switch("/new")
        for _ in range(rng.choice((1, 1, 2))):
            if rng.random() < 0.4:
                await self.switch(rng.choice(("/new", "/resume", "/fork all", "/trust")), rng)
            await self.turn(rng)
            self.script.reset()

    @property
    def stage(self) -> Stage:
        assert self.app.stage
        return self.app.stage

    async def switch(self, command: str, rng: random.Random | None = None) -> None:
        before, self.counted.switches = self.stage, self.counted.switches + 1
        if before.session.journal.messages:
            # One in which nothing was said leaves nothing behind.
            self.sessions = [*self.sessions[-5:], before.session.id]
        if command == "/resume":
            others = [each for each in self.sessions if each != before.session.id]
            command = f"/resume {rng.choice(others)}" if rng and others else "/new"
        elif command == "/fork all" and not before.session.journal.messages:
            command = "/new"
        elif command == "/trust":
            command, self.trusted = "/trust no" if self.trusted else "/trust", not self.trusted
        before.submit(command)
        if command == "/trust":
            await self.until(lambda: self.panel.question)
            shown = await self.read()
            assert "Trust" in shown
            assert not TOKEN.search(shown), f"the trust of a folder is asked for with\n{shown}"
            self.press("y")
        await self.until(lambda: self.app.stage not in (None, before) and not self.panel.question)

    async def turn(self, rng: random.Random) -> None:
        self.script.choose()
        turns, approved, output = self.script.turns, set[str](), dict[str, str]()
        stage, stopped = self.stage, False
        with stage.session.subscribe() as heard:
            stage.submit("go")
            while await self.asked(turns):
                call = await self.look(rng)
                # Of several reads the first answer for the session would free the others.
                answer = rng.choice("yyynn!" if call.name == "read" else "yysnn!")
                if answer in "ys":
                    approved.add(call.token)
                if stopped := await self.answer(answer):
                    break
            heard.push(None)
            async for event in heard:
                if isinstance(event, ToolFinished) and event.status == "completed" and event.name == "read":
                    output |= dict.fromkeys(TOKEN.findall(event.output), event.output)
        ran = self.script.ran(output)
        # What was stopped in the moment after its approval need not have begun.
        good = ran <= approved if stopped else ran == approved
        assert good, f"approved were {sorted(approved)}, and {sorted(ran)} ran"
        self.counted.ran += len(ran)

    async def asked(self, turns: int) -> bool:
        """Wait for a question; False when the turn has ended without another one."""
        await self.until(
            lambda: self.panel.question or (self.script.turns > turns and not self.stage.session.busy)
        )
        return self.panel.question is not None

    async def look(self, rng: random.Random) -> Wanted:
        """The call that is on the screen, at this size or at another one."""
        self.counted.questions += 1
        if rng.random() < 0.15:
            await self.pilot.resize_terminal(*rng.choice(_SIZES))
        call = the_one(self.script, await self.read())
        if self.app.size.height > _ROOM:
            headline = self.rows("#headline")
            check_words(call, headline, self.rows("#proposal-scroll"))
        return call

    async def answer(self, how: str) -> bool:
        """Press the keys; True if the turn was stopped instead."""
        question = self.panel.question
        if how == "!":
            self.press("escape")
            await self.until(lambda: not self.panel.question and not self.stage.session.busy)
            return True
        # On the smallest screens the key of another answer than the first shows that answer only.
        self.press("y" if how == "s" and self.app.size.height < _ROOM else how)
        if how == "n":
            await self.painted()
            self.press("enter")
        await self.until(lambda: self.panel.question is not question)
        return False

    def press(self, key: str) -> None:
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    async def read(self) -> str:
        await self.painted()
        return self.rows("#question")

    def rows(self, part: str) -> str:
        area = self.app.base.query_one(part).region
        lines = screen_text(self.app).split("\n")[area.y : area.bottom]
        return "\n".join(line[area.x : area.right] for line in lines)

    async def painted(self) -> None:
        for _ in range(2):
            done = asyncio.Event()
            self.panel.call_after_refresh(done.set)
            await done.wait()

    async def until(self, holds: Callable[[], object]) -> None:
        ends = time.monotonic() + _PATIENCE
        while not holds():
            assert time.monotonic() < ends, f"it never came true; the screen was\n{screen_text(self.app)}"
            await asyncio.sleep(0.001)


async def _repl(folder: Path, sequences: int, rng: random.Random, counted: Count) -> None:
    (folder / "project").mkdir()
    script = Script(folder / "project", rng)
    start = opening(folder, attended=True, model=Scripted(script.answer))
    wanted = start
    for number in range(sequences):
        try:
            for _ in range(rng.randint(1, 2)):
                wanted = await _sit(wanted, script, rng, counted)
                script.reset()
        except BaseExceptionGroup as errors:
            raise AssertionError(f"sequence {number} in the REPL: {errors.exceptions[0]}") from errors
        wanted = start


async def _sit(wanted: Opening, script: Script, rng: random.Random, counted: Count) -> Opening:
    """One session at the REPL, until a command leads to the next."""
    ending: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
    async with open_session(wanted) as opened, asyncio.TaskGroup() as tasks:
        tape = _Tape()
        telling = Telling(paper(width=rng.choice((40, 80, 120)), styled=False), words=rng.random() < 0.3)
        talk = Talk(opened, telling, tape, tasks, await first_status(opened), ending.set_result)
        with opened.session.subscribe(merged=True) as heard:
            background = [
                tasks.create_task(talk.follow(heard)),
                tasks.create_task(_working(opened)),
            ]
            await _talked(opened, talk, tape, script, rng, counted)
            counted.switches += 1
            talk.submit(rng.choice(("/new", "/fork all")))
            found = await ending
            for task in background:
                task.cancel()
        talk.cancel()
    assert isinstance(found, Opening)
    return replace(found, model=wanted.model)


async def _working(opened: Opened) -> None:
    await opened.session.run()


class _Tape:
    """A terminal that keeps what was printed, one piece for each print."""

    takes_sequences = True
    keys = usage.PROMPT

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, text: str) -> None:
        if text:
            self.pieces.append(bare(text))

    def refresh(self) -> None:
        pass

    def draft(self, text: str) -> None:
        del text

    def last_question(self) -> str:
        """With all that was printed below it, such as how to answer."""
        for at in range(len(self.pieces) - 1, -1, -1):
            if TOKEN.search(self.pieces[at]) and not self.pieces[at].lstrip().startswith("Answer with"):
                return "".join(self.pieces[at:])
        return ""


async def _talked(
    opened: Opened, talk: Talk, tape: _Tape, script: Script, rng: random.Random, counted: Count
) -> None:
    script.choose()
    turns, approved = script.turns, set[str]()
    with opened.session.subscribe() as heard:
        talk.submit("go")
        while await _asked(opened, talk, tape, script, turns):
            counted.questions += 1
            shown = tape.last_question()
            call = the_one(script, shown)
            head, _, body = shown.strip("\n").partition("\n")
            check_words(call, head, body)
            answer = rng.choice(("y", "yes", "n", "no because", *(() if call.name == "read" else ("s",))))
            if answer[0] in "ys":
                approved.add(call.token)
            tape.pieces.clear()
            talk.submit(answer)
        heard.push(None)
        output = {
            token: event.output
            async for event in heard
            if isinstance(event, ToolFinished) and event.status == "completed" and event.name == "read"
            for token in TOKEN.findall(event.output)
        }
    ran = script.ran(output)
    assert ran == approved, f"approved were {sorted(approved)}, and {sorted(ran)} ran"
    counted.ran += len(ran)


async def _asked(opened: Opened, talk: Talk, tape: _Tape, script: Script, turns: int) -> bool:
    """Wait until a question was printed; False when the turn has ended without another one."""
    async with asyncio.timeout(_PATIENCE):
        while not (talk.question and tape.last_question()):
            if script.turns > turns and not opened.session.busy:
                return False
            await asyncio.sleep(0.001)
    return True
