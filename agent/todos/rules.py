"""What a todo may be and become: pure functions on records, the same for every door and dialect."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast, get_args

from agent.todos.errors import TodoError, UnknownTodoError
from store.records import BlockedOn, Priority, Progress, Todo, TodoStatus

STATUSES: tuple[TodoStatus, ...] = get_args(TodoStatus)
PRIORITIES: tuple[Priority, ...] = get_args(Priority)
BLOCKERS: tuple[BlockedOn, ...] = get_args(BlockedOn)
OPEN: frozenset[TodoStatus] = frozenset({"pending", "in_progress", "blocked"})
TERMINAL: frozenset[TodoStatus] = frozenset({"completed", "cancelled"})

BATCH = 25
TITLE = 200
DEPTH = 4

Key = tuple[int, int, int]
Item = TypeVar("Item")
Result = TypeVar("Result")

_ALIASES: dict[str, TodoStatus] = {"open": "pending", "done": "completed", "canceled": "cancelled"}
_RANK: dict[TodoStatus, int] = {"in_progress": 0, "pending": 1, "blocked": 2, "completed": 3, "cancelled": 3}
# Far more digits than any id has, and few enough for SQLite's integers.
_ID = re.compile(r"#?([0-9]{1,18})")
_NAMED_AT_MOST = 30


def parse_status(word: str, offered: Sequence[str] = STATUSES) -> TodoStatus:
    """`offered` are the words that the caller may use, for the error."""
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    status = _ALIASES.get(plain, plain)
    if status not in STATUSES:
        raise TodoError(f"no status {word!r}; there are {', '.join(offered)}")
    return status


def parse_priority(word: str) -> Priority:
    return cast("Priority", _one_of("priority", word, PRIORITIES))


def parse_blocker(word: str) -> BlockedOn:
    return cast("BlockedOn", _one_of("blocked_on", word, BLOCKERS))


def parse_id(value: object) -> int:
    """`14`, `"14"` and `"#14"` are the same todo."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    found = _ID.fullmatch(value.strip()) if isinstance(value, str) else None
    if not found or int(found[1]) == 0:
        raise TodoError(f"{value!r} is not a todo id; write it as 14 or #14")
    return int(found[1])


def check_title(title: str, what: str = "title", rest: str = "the rest belongs in notes") -> str:
    """`what` is the name of the parameter, `rest` what to do with a text that is too long for it."""
    plain = check_text(what, title).replace("\t", " ").strip()
    if not plain:
        raise TodoError(f"the {what} is empty; say in a few words what is to be done")
    if len(plain) > TITLE:
        raise TodoError(f"the {what} has {len(plain)} characters; {TITLE} fit, {rest}")
    if len(plain.splitlines()) > 1 or any(unicodedata.category(sign) == "Cc" for sign in plain):
        raise TodoError(f"the {what} must be one line of text; {rest}")
    return plain


def check_text(what: str, text: str) -> str:
    """Half a surrogate pair or a NUL can come out of bad input and could not be stored."""
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise TodoError(f"the {what} holds characters that are no text; leave them out")
    return text


def check_reason(reason: str) -> str:
    """One line, since it is shown beside the title."""
    plain = " ".join(check_text("reason", reason).split())
    return "".join(sign for sign in plain if unicodedata.category(sign) != "Cc")


def check_transition(todo: Todo, status: TodoStatus) -> None:
    """Setting the status it has is allowed and changes nothing."""
    if todo.status in TERMINAL and status not in (todo.status, "pending"):
        raise TodoError(
            f"#{todo.id} is {todo.status} and cannot become {status}; "
            "allowed is: pending, which reopens it for any other status"
        )


def check_batch(size: int) -> None:
    if size > BATCH:
        raise TodoError(f"{size} items are too many for one call; send at most {BATCH} and then the rest")


def find(todos: Mapping[int, Todo], todo_id: int) -> Todo:
    try:
        return todos[todo_id]
    except KeyError:
        raise UnknownTodoError(f"no todo #{todo_id}; {known(todos)}") from None


def known(todos: Mapping[int, Todo]) -> str:
    if not todos:
        return "the list is empty"
    ids, rest = sorted(todos), ""
    if len(ids) > _NAMED_AT_MOST:
        # Those that are still open are the likelier ones to be meant.
        ids.sort(key=lambda each: todos[each].status in TERMINAL)
        rest = f" and {len(ids) - _NAMED_AT_MOST} more"
    return f"there are {', '.join(f'#{each}' for each in ids[:_NAMED_AT_MOST])}{rest}"


def resolve(todos: Sequence[Todo], words: str) -> Todo:
    """A todo by its id or by the beginning of its title, if only one begins so."""
    words = words.strip()
    if _ID.fullmatch(words):
        return find({todo.id: todo for todo in todos}, parse_id(words))
    start = words.casefold()
    matches = [todo for todo in todos if start and todo.title.casefold().startswith(start)]
    for narrower in (
        [todo for todo in matches if todo.title.casefold() == start],
        [todo for todo in matches if todo.status in OPEN],
        matches,
    ):
        if len(narrower) == 1:
            return narrower[0]
    if matches:
        names = ", ".join(f"#{todo.id} {todo.title}" for todo in matches[:5])
        raise TodoError(f"{len(matches)} todos begin with {words!r}: {names}; give the id")
    raise UnknownTodoError(f"no todo begins with {words!r}; {known({todo.id: todo for todo in todos})}")


def order(todo: Todo) -> Key:
    """In progress, then pending and blocked by position, then what is finished, the latest first."""
    rank = _RANK[todo.status]
    if rank == _RANK["completed"]:
        return rank, -(todo.completed_at or 0), -todo.id
    return rank, todo.position, todo.id


def nested(todos: Sequence[Todo]) -> Iterator[tuple[int, Todo]]:
    """Depth and todo, every subtask below its parent; one whose parent is not there stands alone."""
    present = {todo.id for todo in todos}
    children: dict[int | None, list[Todo]] = {}
    for todo in todos:
        children.setdefault(todo.parent_id if todo.parent_id in present else None, []).append(todo)
    stack = [(0, todo) for todo in reversed(children.get(None, []))]
    while stack:
        level, todo = stack.pop()
        yield level, todo
        stack.extend((level + 1, child) for child in reversed(children.get(todo.id, [])))


def progress(todos: Iterable[Todo]) -> Progress:
    counted = [todo.status for todo in todos if todo.status != "cancelled"]
    return Progress(counted.count("completed"), len(counted))


def actionable(todos: Iterable[Todo]) -> tuple[Todo, ...]:
    """What could be worked on now. A dependency that is gone holds nothing up."""
    todos = tuple(todos)
    unfinished = {todo.id for todo in todos if todo.status in OPEN}
    return tuple(
        todo
        for todo in todos
        if todo.status in ("pending", "in_progress") and unfinished.isdisjoint(todo.depends_on)
    )


def descendants(todos: Mapping[int, Todo], ids: Iterable[int]) -> tuple[int, ...]:
    """The subtasks of all levels, without the todos themselves."""
    children: dict[int, list[int]] = {}
    for todo in todos.values():
        if todo.parent_id is not None:
            children.setdefault(todo.parent_id, []).append(todo.id)
    start = set(ids)
    found: list[int] = []
    waiting = list(start)
    while waiting:
        below = children.get(waiting.pop(), [])
        found.extend(below)
        waiting.extend(below)
    return tuple(each for each in dict.fromkeys(found) if each not in start)


def finished(todos: Sequence[Todo]) -> tuple[int, ...]:
    """Completed and cancelled ones, but not where something open is below them."""
    by_id = {todo.id: todo for todo in todos}
    kept: set[int] = set()
    for todo in todos:
        parent = by_id.get(todo.parent_id or 0)
        while todo.status in OPEN and parent and parent.id not in kept:
            kept.add(parent.id)
            parent = by_id.get(parent.parent_id or 0)
    return tuple(todo.id for todo in todos if todo.status in TERMINAL and todo.id not in kept)


def check_parent(todos: Mapping[int, Todo], todo_id: int, parent_id: int) -> None:
    """`todo_id` is 0 for one that is yet to be born."""
    parent = find(todos, parent_id)
    below = descendants(todos, [todo_id]) if todo_id else ()
    if parent_id == todo_id or parent_id in below:
        raise TodoError(f"#{todo_id} cannot be a subtask of #{parent_id}, which is itself or below it")
    level = _level(todos, parent) + 1
    height = max((_level(todos, todos[each]) for each in below), default=0)
    own = _level(todos, todos[todo_id]) if todo_id else 0
    if level + max(0, height - own) > DEPTH:
        raise TodoError(f"subtasks go {DEPTH} levels deep; #{parent_id} is too far down for another one")


def check_dependencies(
    todos: Mapping[int, Todo], todo_id: int, depends_on: Iterable[int], *, shared: bool = False
) -> None:
    """What is `shared` by the workspace cannot wait for what only one session sees."""
    for each in depends_on:
        if find(todos, each).session_id is not None and shared:
            raise TodoError(f"#{each} belongs to one session; a workspace-wide todo cannot wait for it")
        path = _path(todos, each, todo_id)
        if path:
            circle = " → ".join(f"#{step}" for step in (todo_id, *path))
            raise TodoError(
                f"#{todo_id} would wait for itself: {circle}; leave one of these dependencies out"
            )


def in_batch(number: int, size: int, error: TodoError) -> TodoError:
    """The same error, saying which item of several was at fault, counted from 1."""
    return error if size == 1 else type(error)(f"item {number}: {error}")


def each_of(items: Sequence[Item], work: Callable[[Item], Result]) -> list[Result]:
    results: list[Result] = []
    for number, item in enumerate(items, 1):
        try:
            results.append(work(item))
        except TodoError as error:
            raise in_batch(number, len(items), error) from error
    return results


def _one_of(what: str, word: str, known_words: Sequence[str]) -> str:
    plain = word.strip().lower()
    if plain not in known_words:
        raise TodoError(f"no {what} {word!r}; there are {', '.join(known_words)}")
    return plain


def _level(todos: Mapping[int, Todo], todo: Todo) -> int:
    level = 0
    while todo.parent_id is not None and todo.parent_id in todos:
        todo = todos[todo.parent_id]
        level += 1
    return level


def _path(todos: Mapping[int, Todo], start: int, goal: int) -> tuple[int, ...]:
    """How `goal` is reached from `start` along dependencies; empty when it is not."""
    waiting: list[tuple[int, ...]] = [(start,)]
    seen = {start}
    while waiting:
        path = waiting.pop()
        if path[-1] == goal:
            return path
        for following in todos[path[-1]].depends_on if path[-1] in todos else ():
            if following not in seen:
                seen.add(following)
                waiting.append((*path, following))
    return ()
