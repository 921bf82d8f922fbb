"""One change of the list while it is being made: rules first, rows at once, the log at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agent.events import TodoChange
from agent.todos import journal
from agent.todos.actors import check_access, check_assigned
from agent.todos.drafts import GAP, Draft, Edit, Scene, born, edited
from agent.todos.errors import TodoError
from agent.todos.rules import OPEN, descendants, each_of, find, in_batch
from agent.todos.snapshot import Snapshot
from store import todos as rows
from store.database import Writer
from store.frozen import frozen
from store.records import Change, Todo


@frozen
class Plan:
    """What a change shall do, decided on the list as it is inside the transaction."""

    items: tuple[Draft | Edit, ...] = ()
    removed: tuple[int, ...] = ()


@frozen
class Changed:
    """`todos` are those asked for, as they are now, or as they were when they are gone.

    `undone` is the line of the history that an undo took back.
    """

    todos: tuple[Todo, ...]
    snapshot: Snapshot
    warnings: tuple[str, ...] = ()
    change: TodoChange | None = None
    undone: journal.Entry | None = None


class UnprovenError(Exception):
    """These must pass their checks before the change may be made."""

    def __init__(self, todos: tuple[Todo, ...]) -> None:
        super().__init__()
        self.todos = todos


class Transaction:
    """`scene.todos` is a dictionary of its own, which follows every step."""

    def __init__(self, writer: Writer, scene: Scene, known: Snapshot) -> None:
        self._writer = writer
        self._scene = scene
        self._known = known
        self._todos = dict(known.by_id)
        self._before: dict[int, Todo | None] = {}
        self._position = known.last_position

    @property
    def scene(self) -> Scene:
        return replace(self._scene, todos=self._todos)

    async def carry_out(self, plan: Plan) -> tuple[Todo, ...]:
        # Rows may know more than memory does: what was spent, or a link that went with its target.
        ids = [*plan.removed, *(item.id for item in plan.items if isinstance(item, Edit))]
        self._todos |= {
            todo.id: todo for todo in await rows.pick(self._writer, ids) if todo.id in self._todos
        }
        removed = {todo.id: todo for todo in each_of(plan.removed, lambda each: find(self._todos, each))}
        await self._remove(list(removed))
        done: list[Todo] = []
        for number, item in enumerate(plan.items, 1):
            try:
                done += await self._take(item)
            except TodoError as error:
                raise in_batch(number, len(plan.items), error) from error
        latest = {todo.id: todo for todo in done}
        return (*latest.values(), *removed.values())

    async def undo(self, change: Change) -> tuple[Todo, ...]:
        # A change may also have touched the private list of another session: that is not ours to turn back,
        # but for what only followed from it.
        before, after = journal.read(change.before), journal.read(change.after)
        old = {each: todo for each, todo in before.items() if self._ours(todo)}
        new = [each for each, todo in after.items() if self._ours(todo)]
        restored = await self.take_back({**dict.fromkeys(new), **old})
        await self._wait_again(
            [each for each in before.keys() & after.keys() if each not in old], before, after
        )
        return restored

    async def take_back(self, before: Mapping[int, Todo | None]) -> tuple[Todo, ...]:
        """Make todos what they were; those with None were not there, and go."""
        old = {each: todo for each, todo in before.items() if todo}
        present = {todo.id: todo for todo in await rows.pick(self._writer, before)}
        self._todos |= present
        await self._remove([each for each in before if each not in old and each in present])
        for todo in old.values():
            if todo.id not in present:
                # Parents and dependencies may come back later in the same change.
                await rows.add(self._writer, replace(todo, parent_id=None, depends_on=()))
        restored: list[Todo] = []
        for todo in old.values():
            now = present.get(todo.id)
            again = await rows.mended(self._writer, replace(todo, spent=now.spent if now else todo.spent))
            self._record(now, again)
            await rows.save(self._writer, again)
            restored.append(again)
        return tuple(restored)

    def check_proven(self, proven: frozenset[tuple[int, str]]) -> None:
        """An agent's completions count once the check that stood before or stands now has passed."""
        if not self._scene.actor.is_agent:
            return
        open_questions: list[Todo] = []
        for todo_id, before in self._before.items():
            after = self._todos.get(todo_id)
            if after is None or after.status != "completed" or (before and before.status == "completed"):
                continue
            for command in {after.check, before.check if before else None} - {None}:
                key = (todo_id if before else 0, command or "")
                if key not in proven:
                    open_questions.append(replace(after, id=key[0], check=command))
        if open_questions:
            raise UnprovenError(tuple(open_questions))

    async def finish(self, kind: str | None, undoes: int | None = None) -> tuple[Snapshot, TodoChange | None]:
        """Log what really changed; nothing is logged when nothing did."""
        ids = [each for each, before in self._before.items() if before != self._todos.get(each)]
        if not ids:
            return self._known, None
        before = [todo for each in ids if (todo := self._before[each])]
        after = [self._todos[each] for each in ids if each in self._todos]
        shared = any(todo.session_id is None for todo in (*before, *after))
        kind = kind or _kind(before, after)
        actor = self._scene.actor.name
        seq = await self._writer.log(
            kind,
            journal.join_ids(ids),
            workspace=self._scene.workspace,
            session_id=None if shared else self._scene.session_id,
            actor=actor,
            before=journal.write(before),
            after=journal.write(after),
            undoes=undoes,
        )
        seen = [todo for todo in after if self._sees(todo)]
        gone = set(ids) - {todo.id for todo in seen}
        return self._known.changed(seen, gone, seq), TodoChange(seq, kind, actor, tuple(ids))

    @property
    def changed(self) -> tuple[Todo, ...]:
        """Every todo that was touched, before and after."""
        before = (todo for todo in self._before.values() if todo is not None)
        after = (self._todos[each] for each in self._before if each in self._todos)
        return (*before, *after)

    def warnings(self) -> tuple[str, ...]:
        """What is allowed but seldom meant."""
        entered = [todo for each in self._before if (todo := self._entered(each))]
        found: list[str] = []
        holder = self._scene.holder
        if self._scene.actor.is_agent and any(todo.status == "in_progress" for todo in entered):
            mine = [
                todo
                for todo in self._todos.values()
                if todo.status == "in_progress" and todo.assignee == holder
            ]
            if len(mine) > 1:
                names = ", ".join(f"#{todo.id}" for todo in mine)
                found.append(f"{len(mine)} todos are in progress at once ({names}); one at a time is clearer")
        completed = {todo.id for todo in entered if todo.status == "completed"}
        below: dict[int, list[str]] = {}
        for todo in self._todos.values() if completed else ():
            if todo.parent_id in completed and todo.status in OPEN:
                below.setdefault(todo.parent_id or 0, []).append(f"#{todo.id}")
        found += [f"#{each} was completed while {_still_open(ids)}" for each, ids in below.items()]
        return tuple(found)

    async def _take(self, item: Draft | Edit) -> list[Todo]:
        if isinstance(item, Draft):
            return await self._add(item)
        before = find(self._todos, item.id)
        after = edited(self.scene, before, item)
        if after is not before:
            await self._check_links(
                after.artifact_id if after.artifact_id != before.artifact_id else None,
                after.sprint_id if after.sprint_id != before.sprint_id else None,
            )
            self._record(before, after)
            await rows.save(self._writer, after)
        return [after]

    async def _add(self, draft: Draft) -> list[Todo]:
        self._position += GAP
        todo = born(self.scene, draft, self._position if draft.position is None else draft.position)
        self._check(None, todo)
        await self._check_links(todo.artifact_id, todo.sprint_id)
        todo = await rows.add(self._writer, todo)
        self._record(None, todo)
        added = [todo]
        for each in draft.subtasks:
            added += await self._add(replace(each, parent_id=todo.id, workspace_wide=draft.workspace_wide))
        return added

    async def _remove(self, ids: list[int]) -> None:
        if not ids:
            return
        family = {*ids, *descendants(self._todos, ids)}
        for todo in [self._todos[each] for each in family]:
            self._record(todo, None)
        # What is shared may be waited for in lists that this one does not see.
        for todo in await rows.dependents(self._writer, family):
            if todo.id not in family:
                kept = tuple(each for each in todo.depends_on if each not in family)
                self._record(todo, replace(todo, depends_on=kept))
        for each in ids:
            await rows.remove(self._writer, each)

    def _check(self, before: Todo | None, after: Todo | None) -> None:
        check_access(self._scene.actor, before, after)
        check_assigned(self._scene.actor, self._scene.holder, before, after)

    def _record(self, before: Todo | None, after: Todo | None) -> None:
        self._check(before, after)
        todo = before or after
        assert todo is not None
        self._before.setdefault(todo.id, before)
        if after is None:
            self._todos.pop(todo.id, None)
        else:
            self._todos[todo.id] = after

    async def _wait_again(
        self, ids: Iterable[int], before: Mapping[int, Todo], after: Mapping[int, Todo]
    ) -> None:
        """Others' todos depend again on what came back, unless they were given other dependencies since."""
        for now in await rows.pick(self._writer, ids):
            if now.depends_on == after[now.id].depends_on:
                wanted = replace(now, depends_on=before[now.id].depends_on)
                again = await rows.mended(self._writer, wanted)
                self._record(now, again)
                await rows.save(self._writer, again)

    async def _check_links(self, artifact_id: int | None, sprint_id: int | None) -> None:
        if artifact_id is None and sprint_id is None:
            return
        missing = await rows.missing_links(
            self._writer, self._scene.workspace, artifact_id=artifact_id, sprint_id=sprint_id
        )
        if missing:
            raise TodoError(f"there is no {' and no '.join(missing)} here; leave the link out")

    def _entered(self, todo_id: int) -> Todo | None:
        before, after = self._before[todo_id], self._todos.get(todo_id)
        return after if after and (before is None or before.status != after.status) else None

    def _sees(self, todo: Todo) -> bool:
        return todo.archived_at is None and self._ours(todo)

    def _ours(self, todo: Todo) -> bool:
        return todo.session_id in (None, self._scene.session_id)


def _still_open(ids: list[str]) -> str:
    *most, last = ids
    return f"its subtasks {', '.join(most)} and {last} are open" if most else f"its subtask {last} is open"


def _kind(before: Iterable[Todo], after: Iterable[Todo]) -> str:
    old, new = {todo.id: todo for todo in before}, {todo.id: todo for todo in after}
    if old.keys() - new.keys():
        return "todo.deleted"
    if not old:
        return "todo.added"
    if all(
        todo.status == "completed" and old[each].status != "completed"
        for each, todo in new.items()
        if each in old
    ):
        return "todo.completed"
    return "todo.updated"
