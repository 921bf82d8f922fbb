"""What the model is told about its list: when it changed, at a wake, and once about how to use it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from agent.todos.actors import Access
from agent.todos.errors import TodoError
from agent.todos.lines import NOTHING, line, more, ratio
from agent.todos.rules import OPEN
from agent.todos.snapshot import Snapshot
from store.records import Todo

ACTIVE = 5
PENDING = 10

# The call that closes an item, as the model of each dialect writes it.
_CLOSING = {
    "standard": "todo_complete(id)",
    "skills": 'todo_update(id, "done")',
    "list": 'todowrite with its status "completed"',
    "tasks": 'task_update(id, "completed")',
    "writ": "/todo done ID",
}
_LISTING = {
    "standard": "todo_list shows the full list",
    "skills": "todo_list shows the full list",
    "list": "todoread shows the full list",
    "tasks": "",
    "writ": "/todo list shows the full list",
}


def context_message(
    snapshot: Snapshot,
    dialect: str,
    *,
    access: Access = "full",
    artifacts: Mapping[int, str] = NOTHING,
    noted: Collection[int] = (),
) -> str | None:
    """The live list as a message, with the notes of those `noted`; nothing when nothing is open."""
    if not snapshot.open:
        return None
    return _page("context").format(
        progress=ratio(snapshot.progress),
        list=live_list(snapshot.todos, artifacts, noted),
        closing=f"{_sentence(closing_clause(dialect, access))}{_remark(dialect)}",
    )


def closed_message(snapshot: Snapshot, closed: Iterable[Todo], deleted: Iterable[int] = ()) -> str | None:
    """What others closed, for an agent that has nothing else to do and would not hear of it."""
    rows = [f"- {line(todo)}" for todo in closed] + [f"- #{each} [deleted]" for each in deleted]
    if snapshot.open or not rows:
        return None
    shown = "\n".join(rows[:PENDING] + more(len(rows) - PENDING))
    return _page("closed").format(progress=ratio(snapshot.progress), list=shown)


def wake_message(
    work: Iterable[Todo],
    dialect: str,
    *,
    access: Access = "full",
    artifacts: Mapping[int, str] = NOTHING,
) -> str:
    """The nudge, with what the session itself has to do inline, so that it costs no extra call."""
    text = _page("nudge").format(
        closing_clause=closing_clause(dialect, access), list=live_list(work, artifacts)
    )
    remark = _remark(dialect).strip()
    return f"{text}\n{remark}" if remark else text


def completion_hint(work: Iterable[Todo]) -> str | None:
    """What a run left open, for whoever looks at its end; no request is made for it."""
    rows = [line(todo) for todo in work if todo.status in OPEN]
    shown = rows[:ACTIVE] + more(len(rows) - ACTIVE)
    return _page("hint").format(list="; ".join(shown)) if rows else None


def guidance(dialect: str, access: Access = "full", *, assigned: bool = False) -> str:
    """Part of the system prompt: the same bytes for the life of a session."""
    if access == "minimal":
        return ""
    if assigned:
        return _page("guidance_assigned").format(closing_clause=closing_clause(dialect, access))
    return _page(f"guidance_{_known(dialect) if access == 'full' else 'readonly'}")


def live_list(
    todos: Iterable[Todo], artifacts: Mapping[int, str] = NOTHING, noted: Collection[int] = ()
) -> str:
    """At most 5 in progress and 10 that wait; how many more there are is said."""
    shown = [todo for todo in todos if todo.status in OPEN]
    active = [todo for todo in shown if todo.status == "in_progress"]
    waiting = [todo for todo in shown if todo.status != "in_progress"]
    kept = [*active[:ACTIVE], *waiting[:PENDING]]
    rows = [f"- {line(todo, artifacts)}{_notes(todo) if todo.id in noted else ''}" for todo in kept]
    return "\n".join(rows + more(len(shown) - len(kept)))


def closing_clause(dialect: str, access: Access = "full") -> str:
    call = _CLOSING[_known(dialect)]
    if access != "full":
        return "note what you find; completing is left to an agent with full access"
    return f"close each item with {call} as you finish it"


def _notes(todo: Todo) -> str:
    return "".join(f"\n  {row}" for row in (todo.notes or "").splitlines())


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _remark(dialect: str) -> str:
    listing = _LISTING[_known(dialect)]
    return f" ({listing}.)" if listing else ""


def _known(dialect: str) -> str:
    if dialect not in _CLOSING:
        raise TodoError(f"no todo dialect {dialect!r}; there are {', '.join(_CLOSING)}")
    return dialect


@cache
def _page(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()
