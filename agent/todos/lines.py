"""How todos read as lines of text, for models and for plain terminals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from agent.todos.rules import OPEN, nested
from agent.todos.snapshot import Snapshot
from store.records import Progress, Todo

NOTHING: Mapping[int, str] = {}
# What each way of showing a todo tells of it: a name among what is open, a line of a list, all of it.
NAMED = frozenset({"title", "status", "blocked_reason", "blocked_on", "depends_on", "session_id"})
LISTED = NAMED | {"priority", "artifact_id"}
DETAILED = LISTED | {"notes"}
_OPEN_SHOWN = 25
_LISTED = 100


def name(todo: Todo) -> str:
    return f"#{todo.id} {todo.title}"


def names(todos: Iterable[Todo]) -> str:
    return ", ".join(name(todo) for todo in todos)


def ratio(progress: Progress) -> str:
    return f"{progress.completed}/{progress.total}"


def line(todo: Todo, artifacts: Mapping[int, str] = NOTHING) -> str:
    """`#14 [blocked] title (high) (blocked: reason) (workspace) → artifact: title`."""
    priority = "" if todo.priority == "medium" else f" ({todo.priority})"
    return f"#{todo.id} [{todo.status}] {todo.title}{priority}{remarks(todo, artifacts)}"


def remarks(todo: Todo, artifacts: Mapping[int, str] = NOTHING) -> str:
    """What a reader must know beside the title."""
    words: list[str] = []
    if todo.blocked_reason:
        blocker = "" if todo.blocked_on in (None, "human") else f" on {todo.blocked_on}"
        words.append(f"(blocked{blocker}: {todo.blocked_reason})")
    if todo.status in OPEN and todo.depends_on:
        words.append(f"(after {', '.join(f'#{each}' for each in todo.depends_on)})")
    if todo.session_id is None:
        words.append("(workspace)")
    if todo.artifact_id is not None and todo.artifact_id in artifacts:
        words.append(f"→ artifact: {artifacts[todo.artifact_id]}")
    return "".join(f" {word}" for word in words)


def tree(
    todos: Sequence[Todo], artifacts: Mapping[int, str] = NOTHING, *, limit: int | None = _LISTED
) -> str:
    rows = [f"{'  ' * level}{line(todo, artifacts)}" for level, todo in islice(nested(todos), limit)]
    return "\n".join(rows + more(len(todos) - len(rows)))


def in_tree(todos: Sequence[Todo]) -> dict[int, frozenset[str]]:
    """What a `tree` tells of them."""
    return {todo.id: LISTED for _, todo in islice(nested(todos), _LISTED)}


def in_standing(snapshot: Snapshot) -> dict[int, frozenset[str]]:
    """What `standing` tells of the list."""
    return {todo.id: NAMED for todo in snapshot.open[:_OPEN_SHOWN]}


def more(count: int) -> list[str]:
    return [f"… and {count} more"] if count > 0 else []


def standing(snapshot: Snapshot) -> str:
    """Progress and what is left, so that nobody needs to ask for the list."""
    left = snapshot.open
    if not left:
        return f"Progress {ratio(snapshot.progress)}, nothing open."
    rows = [f"{name(todo)}{_state(todo)}{remarks(todo)}" for todo in left[:_OPEN_SHOWN]]
    return "\n".join([f"Progress {ratio(snapshot.progress)}. Open:", *rows, *more(len(left) - len(rows))])


def report(said: str, snapshot: Snapshot, warnings: Iterable[str] = ()) -> str:
    return "\n".join([said, *(f"Warning: {each}" for each in warnings), standing(snapshot)])


def summary(todos: Iterable[Todo]) -> str:
    """`3 open (1 in progress, 2 pending)`."""
    statuses = [todo.status for todo in todos if todo.status in OPEN]
    if not statuses:
        return "0 open"
    counts = {
        words: statuses.count(status)
        for status, words in (("in_progress", "in progress"), ("pending", "pending"), ("blocked", "blocked"))
    }
    return f"{len(statuses)} open ({', '.join(f'{n} {words}' for words, n in counts.items() if n)})"


def _state(todo: Todo) -> str:
    return " [in_progress]" if todo.status == "in_progress" else ""
