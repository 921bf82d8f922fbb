"""Who changes the list, and what each access level lets them do to it."""

from __future__ import annotations

from dataclasses import fields
from typing import Literal

from agent.todos.errors import AccessError
from store.frozen import frozen
from store.records import Todo, TodoStatus

Access = Literal["full", "readonly", "readonly-shell", "minimal"]


@frozen
class Actor:
    """`name` is `user`, `system` or `agent:NAME`.

    `holder` is what a claim writes into `assignee`: a child that works on its parent's list gives its own
    session id here; left empty it is the session of the list, or the name where there is none. One that is
    `assigned` may only work on the todos it was given.
    """

    name: str
    access: Access = "full"
    holder: str = ""
    assigned: bool = False

    @property
    def is_agent(self) -> bool:
        return self.name.startswith("agent:")


USER = Actor("user")
SYSTEM = Actor("system")

# What an agent with assigned todos may write: the fields of an item, and what follows from a status.
_WORK = ("status", "notes", "blocked_reason", "blocked_on")
_FOLLOWS = ("assignee", "started_at", "completed_at", "completed_by", "updated_at", "spent")
_WORKED: frozenset[TodoStatus | None] = frozenset({"in_progress", "blocked", "completed"})


def check_access(actor: Actor, before: Todo | None, after: Todo | None) -> None:
    """Asked about every todo of every change, so that no spelling leads around it."""
    if actor.access == "minimal":
        raise AccessError(f"{actor.name} may list and read todos, not change them")
    if actor.access == "full":
        return
    if after is None:
        raise AccessError(f"{actor.name} may not delete todos; cancel what is not needed any more")
    if after.status == "completed" and (before is None or before.status != "completed"):
        raise AccessError(f"{actor.name} may not complete todos; leave that to an agent with full access")


def given(actor: Actor, holder: str, todo: Todo) -> bool:
    """True if the todo was assigned to this actor, by its session or by its name."""
    return todo.assignee is not None and todo.assignee in (
        holder,
        actor.name,
        actor.name.removeprefix("agent:"),
    )


def check_assigned(actor: Actor, holder: str, before: Todo | None, after: Todo | None) -> None:
    """An agent with assigned todos may start, note, block and complete those, and nothing else."""
    if not actor.assigned:
        return
    if before is None or after is None:
        what = "add" if before is None else "delete"
        raise AccessError(f"{actor.name} may not {what} todos; it works on those it was given")
    if not given(actor, holder, before):
        raise AccessError(f"#{before.id} was not given to {actor.name}; leave it as it is")
    changed = {
        field.name for field in fields(Todo) if getattr(before, field.name) != getattr(after, field.name)
    }
    passed_on = after.assignee not in (before.assignee, holder)
    forbidden = sorted(changed - {*_WORK, *_FOLLOWS} | ({"assignee"} if passed_on else set()))
    if forbidden:
        raise AccessError(
            f"{actor.name} may not change {forbidden[0]} of #{before.id}; only status and notes"
        )
    if "status" in changed and after.status not in _WORKED:
        raise AccessError(
            f"{actor.name} may not set #{before.id} to {after.status}; it may start, block or complete it"
        )
