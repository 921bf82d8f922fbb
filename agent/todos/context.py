"""What a todo tool acts on: the list, who is asking, and during which run."""

from __future__ import annotations

from agent.todos.actors import Actor
from agent.todos.service import TodoService
from store.frozen import frozen


@frozen
class TodoContext:
    """`run_id` is the message that began the run; lists of the `tasks` dialect live and die with it."""

    service: TodoService
    actor: Actor
    run_id: int | None = None
