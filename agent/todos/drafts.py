"""What someone wants to add or change, and the todo that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.todos.actors import Actor
from agent.todos.errors import ClaimedError, ReasonError, TodoError
from agent.todos.rules import (
    OPEN,
    TERMINAL,
    check_dependencies,
    check_parent,
    check_reason,
    check_text,
    check_title,
    check_transition,
    find,
)
from store.frozen import frozen
from store.records import BlockedOn, Priority, Todo, TodoStatus

# Room between neighbours, so that moving one todo rarely renumbers others.
GAP = 65_536


@frozen
class Draft:
    title: str
    notes: str | None = None
    status: TodoStatus = "pending"
    blocked_reason: str | None = None
    blocked_on: BlockedOn | None = None
    priority: Priority = "medium"
    parent_id: int | None = None
    depends_on: tuple[int, ...] = ()
    artifact_id: int | None = None
    sprint_id: int | None = None
    check: str | None = None
    assignee: str | None = None
    completed_at: int | None = None
    workspace_wide: bool = False
    position: int | None = None
    subtasks: tuple[Draft, ...] = ()


@frozen
class Edit:
    """None leaves a field as it is; empty text, 0 or an empty tuple clears it."""

    id: int
    title: str | None = None
    notes: str | None = None
    status: TodoStatus | None = None
    blocked_reason: str | None = None
    blocked_on: BlockedOn | None = None
    priority: Priority | None = None
    parent_id: int | None = None
    depends_on: tuple[int, ...] | None = None
    artifact_id: int | None = None
    sprint_id: int | None = None
    check: str | None = None
    assignee: str | None = None
    completed_at: int | None = None
    position: int | None = None


@frozen
class Scene:
    """What a change is decided on. `todos` is the list as it stands, earlier items of the batch included."""

    todos: Mapping[int, Todo]
    actor: Actor
    moment: int
    workspace: str
    tenant: str
    session_id: str | None
    run_id: int | None
    alive: Callable[[str], bool]

    @property
    def holder(self) -> str:
        return self.actor.holder or self.session_id or self.actor.name


def born(scene: Scene, draft: Draft, position: int) -> Todo:
    """The todo of a draft, without an id yet. A subtask lives in the list of its parent."""
    session_id = None if draft.workspace_wide else scene.session_id
    run_id = None if draft.workspace_wide else scene.run_id
    if draft.parent_id:
        check_parent(scene.todos, 0, draft.parent_id)
        parent = find(scene.todos, draft.parent_id)
        if draft.workspace_wide and parent.session_id is not None:
            raise TodoError(f"#{parent.id} belongs to one session; a workspace-wide todo cannot be below it")
        session_id, run_id = parent.session_id, parent.run_id
    check_dependencies(scene.todos, 0, draft.depends_on, shared=session_id is None)
    blank = Todo(
        id=0,
        session_id=session_id,
        workspace=scene.workspace,
        tenant=scene.tenant,
        parent_id=draft.parent_id or None,
        title=check_title(draft.title),
        notes=_text("notes", draft.notes),
        status="pending",
        blocked_reason=None,
        blocked_on=None,
        priority=draft.priority,
        depends_on=tuple(sorted(set(draft.depends_on))),
        artifact_id=draft.artifact_id or None,
        sprint_id=draft.sprint_id or None,
        check=_text("check", draft.check),
        position=position,
        assignee=draft.assignee or None,
        created_by=scene.actor.name,
        completed_by=None,
        created_at=scene.moment,
        updated_at=scene.moment,
        completed_at=None,
        run_id=run_id,
    )
    wanted = Edit(0, blocked_reason=draft.blocked_reason, blocked_on=draft.blocked_on)
    return _with_status(scene, blank, draft.status, replace(wanted, completed_at=draft.completed_at))


def edited(scene: Scene, todo: Todo, edit: Edit) -> Todo:
    """The todo after the edit; the same object when nothing changes."""
    after = replace(todo, **_plain_fields(todo, edit))
    if edit.parent_id and edit.parent_id != todo.parent_id:
        check_parent(scene.todos, todo.id, edit.parent_id)
        if find(scene.todos, edit.parent_id).session_id != todo.session_id:
            raise TodoError(f"#{edit.parent_id} is in another list than #{todo.id}; only one list can nest")
    if edit.depends_on is not None:
        check_dependencies(scene.todos, todo.id, edit.depends_on, shared=todo.session_id is None)
        after = replace(after, depends_on=tuple(sorted(set(edit.depends_on))))
    status = edit.status or todo.status
    check_transition(todo, status)
    _check_claim(scene, todo, edit)
    after = _with_status(scene, after, status, edit)
    if edit.assignee is not None:
        after = replace(after, assignee=edit.assignee or None)
    return todo if after == todo else replace(after, updated_at=scene.moment)


def _plain_fields(todo: Todo, edit: Edit) -> dict[str, str | int | None]:
    fields: dict[str, str | int | None] = {
        name: value or None
        for name in ("parent_id", "artifact_id", "sprint_id")
        if (value := getattr(edit, name)) is not None
    }
    if edit.title is not None:
        fields["title"] = check_title(edit.title)
    if edit.notes is not None:
        fields["notes"] = _text("notes", edit.notes)
    if edit.check is not None:
        fields["check"] = _text("check", edit.check)
    fields["priority"] = edit.priority or todo.priority
    fields["position"] = todo.position if edit.position is None else edit.position
    return fields


def _with_status(scene: Scene, todo: Todo, status: TodoStatus, edit: Edit) -> Todo:
    entered = status != todo.status
    reason, blocker = None, None
    if status == "blocked":
        reason = check_reason(edit.blocked_reason or "") or todo.blocked_reason
        blocker = edit.blocked_on or todo.blocked_on or "human"
        if not reason:
            raise ReasonError("blocked needs a reason; say what it waits for")
    after = replace(todo, status=status, blocked_reason=reason, blocked_on=blocker)
    if edit.completed_at is not None and status not in TERMINAL:
        raise TodoError(f"completed_at is for completed and cancelled todos; it would be {status}")
    if status in TERMINAL:
        return _closed(scene, after, edit, entered=entered)
    after = replace(after, completed_at=None, completed_by=None)
    if status == "in_progress":
        started = scene.moment if entered else todo.started_at
        # Only agents claim; a person who starts an item leaves it free to be taken up.
        claims = scene.actor.is_agent and (entered or edit.status is not None)
        return replace(after, started_at=started, assignee=scene.holder if claims else todo.assignee)
    released = entered and status == "pending" and todo.status != "blocked"
    return replace(after, assignee=None) if released and todo.id else after


def _closed(scene: Scene, todo: Todo, edit: Edit, *, entered: bool) -> Todo:
    finished = edit.completed_at or (scene.moment if entered else todo.completed_at)
    author = scene.actor.name if entered and todo.status == "completed" else todo.completed_by
    return replace(todo, completed_at=finished, completed_by=author)


def _check_claim(scene: Scene, todo: Todo, edit: Edit) -> None:
    """While its owner lives no other agent takes an item over or puts it back; its text is anyone's."""
    taken = edit.status in OPEN or edit.assignee not in (None, todo.assignee)
    if not (taken and scene.actor.is_agent and todo.status == "in_progress"):
        return
    owner = todo.assignee
    if owner and owner != scene.holder and scene.alive(owner):
        raise ClaimedError(f"#{todo.id} is being worked on by {owner}; take another one")


def _text(what: str, value: str | None) -> str | None:
    return check_text(what, value).strip() or None if value else None
