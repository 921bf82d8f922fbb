"""Takes a session back to before one of its messages: what was said, what was done to files, or both."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Literal

from agent.rewind import restoring
from agent.rewind.blobs import Blobs
from agent.rewind.diffs import diff
from agent.rewind.ledger import Ledger
from agent.rewind.plan import Finding, Journey, journeys
from agent.todos.actors import USER
from agent.todos.service import TodoService
from agent.tools.diff import shown
from store import changes, messages, rewinds
from store.clock import Millis
from store.database import Store, Writer
from store.frozen import frozen
from store.records import FileStep, Message, Rewind, RewindWhat


class RewindError(Exception):
    """Going back is not possible: says why and what is."""


@frozen
class Point:
    """A message of the user to go back to before; `number` counts them from 1.

    `commands` ran since, and `files` were changed since, as far as that was noted.
    """

    number: int
    message_id: int
    text: str
    time: Millis
    files: int
    messages: int
    commands: int


@frozen
class Outcome:
    """`left` says of each file that was not put back why; `plan` counts the todos that were taken back."""

    rewind: Rewind
    hidden: int = 0
    revealed: int = 0
    restored: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    plan: int | None = None


@frozen
class Difference:
    """`foreign` are files that someone else has changed too."""

    text: str
    files: int
    foreign: tuple[str, ...]


class RewindService:
    """`at_rest` keeps turns from running meanwhile; `told` is called when it is done.

    Without a `ledger` no file is ever noted, and only the conversation can be taken back.
    """

    def __init__(
        self,
        store: Store,
        session_id: str,
        root: Path,
        ledger: Ledger | None,
        *,
        at_rest: Callable[[], AbstractAsyncContextManager[None]],
        told: Callable[[Outcome], Awaitable[None]],
        todos: TodoService | None = None,
    ) -> None:
        """Without `todos` the plan always stays as it is."""
        self.ledger = ledger
        self._todos = todos
        self._store = store
        self._session_id = session_id
        self._root = root
        self._at_rest = at_rest
        self._told = told

    async def points(self) -> tuple[Point, ...]:
        """The oldest first."""
        said = await self._store.read(messages.load, self._session_id)
        steps = await self._store.read(rewinds.steps, self._session_id)
        return _points(said, steps)

    async def point(self, number: int) -> Point:
        found = await self.points()
        if not 1 <= number <= len(found):
            there = f"there are 1 to {len(found)}" if found else "nothing is left of the conversation"
            raise RewindError(f"there is no message {number} to go back to; {there}")
        return found[number - 1]

    async def survey(self, point: Point) -> tuple[Finding, ...]:
        """What going back to it would mean for files."""
        steps = await self._store.read(rewinds.steps, self._session_id, anchor=point.message_id)
        return await self._surveyed(journeys(steps))

    async def planned(self, point: Point) -> int:
        """How many of the session's own todos were different at that message."""
        revision = await self._revision(point)
        return len(await self._todos.changed_since(revision)) if self._todos and revision else 0

    async def rewind(self, number: int, what: RewindWhat, *, plan: bool = False) -> Outcome:
        """With `plan` the session's own todos go back too."""
        point = await self.point(number)
        async with self._at_rest():
            revision = await self._revision(point) if plan else 0
            draft = Rewind(0, self._session_id, "rewind", what, point.message_id)
            return await self._go(draft, await self.survey(point), reveal=None, revision=revision)

    async def rewind_plan(self, number: int) -> int:
        """The plan alone; how many todos were taken back."""
        async with self._at_rest():
            revision = await self._revision(await self.point(number))
            return (await self._replan(revision))[1] or 0

    async def undo(self) -> Outcome:
        """Take back the newest rewind that was not taken back yet; what was said since is set aside."""
        async with self._at_rest():
            newest = await self.undoable()
            if newest is None:
                raise RewindError("there is no rewind to take back; /rewind goes back")
            return await self._back(newest, "undo")

    async def undoable(self) -> Rewind | None:
        done = await self._store.read(rewinds.listed, self._session_id)
        undone = {each.undoes for each in done}
        found = [each for each in done if each.kind != "undo" and each.id not in undone]
        return found[-1] if found else None

    async def redo(self) -> Outcome:
        async with self._at_rest():
            done = await self._store.read(rewinds.listed, self._session_id)
            undone = {each.undoes for each in done}
            since = max((each.id for each in done if each.kind == "rewind"), default=0)
            found = [each for each in done if each.kind == "undo" and each.id not in undone]
            if not found or found[-1].id < since:
                raise RewindError("nothing was undone that could be done again; /rewind goes back")
            return await self._back(found[-1], "redo")

    async def diff(self, *, since: int | None = None, below: str = "") -> Difference:
        """What the session changed: all of it, from message number `since` on, or in files `below` a path."""
        anchor = (await self.point(since)).message_id if since is not None else 0
        steps = await self._store.read(rewinds.steps, self._session_id, anchor=anchor)
        place = self._root / below
        found = await self._surveyed(
            [each for each in journeys(steps) if each.path == place or place in each.path.parents]
        )
        changed = [each for each in found if each.verdict != "same"]
        text = await asyncio.to_thread(diff, self._root, changed, self._blobs) if self.ledger else ""
        foreign = tuple(shown(self._root, each.path) for each in changed if each.verdict == "foreign")
        return Difference(text, text.count("diff --git "), foreign)

    async def _back(self, earlier: Rewind, kind: Literal["undo", "redo"]) -> Outcome:
        """To the moment just before an earlier rewind, whatever happened since."""
        draft = Rewind(0, self._session_id, kind, earlier.what, earlier.message_id, undoes=earlier.id)
        steps = await self._store.read(rewinds.steps, self._session_id, after=earlier.step_id)
        plan = await self._store.read(rewinds.plan_of, earlier)
        findings = await self._surveyed(journeys(steps))
        return await self._go(draft, findings, reveal=earlier.id, revision=max(0, plan - 1))

    async def _go(
        self, draft: Rewind, findings: Sequence[Finding], *, reveal: int | None, revision: int
    ) -> Outcome:
        """The plan goes to where it was at `revision`; 0 leaves it."""
        if draft.what == "conversation":
            findings = ()
        left = {each.path: REASONS[each.verdict] for each in findings if each.verdict in REASONS}
        wanted = [each for each in findings if each.verdict == "restore"]
        safe: Sequence[Finding] = ()
        if wanted:
            safe, failed = await asyncio.to_thread(restoring.keep, wanted, self._blobs)
            left |= failed
        change, todos = await self._replan(revision)
        rewind, hidden, revealed, steps = await self._store.write(_note, draft, safe, reveal, change)
        if safe:
            failed = await asyncio.to_thread(restoring.restore, safe, self._blobs)
            left |= failed
            gone = [step.id for step in steps if Path(step.path) in failed]
            if gone:
                await self._store.write(rewinds.remove_steps, self._session_id, gone)
            safe = [each for each in safe if each.path not in failed]
        outcome = Outcome(
            rewind,
            hidden,
            revealed,
            tuple(shown(self._root, each.path) for each in safe if not each.is_folder),
            tuple((shown(self._root, path), why) for path, why in sorted(left.items())),
            todos,
        )
        await self._told(outcome)
        return outcome

    async def _revision(self, point: Point) -> int:
        """The plan as it was when the message was added; 0 where that is not known."""
        return await self._store.read(changes.of_message, self._session_id, point.message_id)

    async def _replan(self, revision: int) -> tuple[int, int | None]:
        """The change that took the plan back, 0 for none, and how many todos it is about."""
        if not (self._todos and revision):
            return 0, None
        done = await self._todos.go_back(USER, revision)
        return (done.change.seq, len(done.change.ids)) if done.change else (0, 0)

    async def _surveyed(self, found: Sequence[Journey]) -> tuple[Finding, ...]:
        if not found or not self.ledger:
            return ()
        return await asyncio.to_thread(restoring.survey, found, self._blobs)

    @property
    def _blobs(self) -> Blobs:
        assert self.ledger is not None
        return self.ledger.blobs


REASONS = {
    "foreign": "changed by someone else since",
    "lost": "its earlier content is no longer kept (rewind.max_megabytes)",
}


def _points(said: Sequence[Message], steps: Sequence[FileStep]) -> tuple[Point, ...]:
    """From the end, so that each knows what came after it."""
    points: list[Point] = []
    number = sum(message.origin == "human" for message in said)
    commands = 0
    changed: set[str] = set()
    left = [step for step in steps if "folder" not in (step.before.kind, step.after.kind)]
    for later, message in enumerate(reversed(said), 1):
        commands += sum(part.tool == "shell" for part in message.parts)
        while left and left[-1].anchor >= message.id:
            changed.add(left.pop().path)
        if message.origin == "human":
            points.append(
                Point(number, message.id, message.text, message.created_at, len(changed), later, commands)
            )
            number -= 1
    return tuple(reversed(points))


async def _note(
    writer: Writer, draft: Rewind, safe: Sequence[Finding], reveal: int | None, plan: int
) -> tuple[Rewind, int, int, tuple[FileStep, ...]]:
    """Everything in one step, before any file is touched: after a kill in the middle it can be undone."""
    rewind, hidden, revealed = await rewinds.add(writer, draft, reveal=reveal, plan=plan)
    steps = await rewinds.add_steps(
        writer,
        [
            FileStep(0, draft.session_id, 0, "rewind", str(each.path), each.actual, each.journey.start)
            for each in safe
        ],
    )
    return rewind, hidden, revealed, steps
