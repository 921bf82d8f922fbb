"""Who changes the list, and what each access level lets them do to it."""

from __future__ import annotations

from typing import Literal

from agent.todos.errors import AccessError
from store.frozen import frozen
from store.records import Todo

Access = Literal["full", "readonly", "readonly-shell", "minimal"]


@frozen
class Actor:
    """`name` is `user`, `system` or `agent:NAME`.

    `holder` is what a claim writes into `assignee`: a child that works on its parent's list gives its own
    session id here; left empty it is the session of the list, or the name where there is none.
    """

    name: str
    access: Access = "full"
    holder: str = ""

    @property
    def is_agent(self) -> bool:
        return self.name.startswith("agent:")


USER = Actor("user")
SYSTEM = Actor("system")


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
