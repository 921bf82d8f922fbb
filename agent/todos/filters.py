"""Which todos a person or a model wants to see: statuses, priorities, artifacts and words, combined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agent.todos.errors import TodoError
from agent.todos.lines import NOTHING
from agent.todos.rules import OPEN, PRIORITIES, STATUSES, parse_status
from store.records import Priority, Todo, TodoStatus


@dataclass(frozen=True, slots=True)
class Filter:
    """Words of one kind widen, kinds narrow each other; free words must all occur."""

    statuses: frozenset[TodoStatus] = frozenset()
    priorities: frozenset[Priority] = frozenset()
    artifacts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def of_status(cls, word: str) -> Filter:
        statuses = _statuses(word)
        return cls(frozenset({parse_status(word)}) if statuses is None else statuses)

    def admits(self, todo: Todo, artifacts: Mapping[int, str] = NOTHING) -> bool:
        return (
            (not self.statuses or todo.status in self.statuses)
            and (not self.priorities or todo.priority in self.priorities)
            and (not self.artifacts or self._linked(todo, artifacts))
            and (not self.words or self._mentions(todo))
        )

    def select(self, todos: Iterable[Todo], artifacts: Mapping[int, str] = NOTHING) -> tuple[Todo, ...]:
        return tuple(todo for todo in todos if self.admits(todo, artifacts))

    def _linked(self, todo: Todo, artifacts: Mapping[int, str]) -> bool:
        if todo.artifact_id is None:
            return False
        title = artifacts.get(todo.artifact_id, "").casefold()
        return any(
            word == str(todo.artifact_id) or (word in title and bool(title)) for word in self.artifacts
        )

    def _mentions(self, todo: Todo) -> bool:
        text = todo.title if todo.notes is None else f"{todo.title}\n{todo.notes}"
        text = text.casefold()
        return all(word in text for word in self.words)


def parse_filter(text: str, *, default: Filter | None = None) -> Filter:
    """`open high @auth login`. Text in double quotes is searched for as it stands, even `"open"`."""
    statuses: set[TodoStatus] = set()
    priorities: set[Priority] = set()
    artifacts: list[str] = []
    words: list[str] = []
    shown_all = False
    for token, quoted in _tokens(text):
        plain = token.casefold()
        found = None if quoted else _statuses(plain)
        if found is not None:
            statuses |= found
            shown_all |= not found
        elif not quoted and plain in PRIORITIES:
            priorities.add(plain)
        elif not quoted and plain.startswith("@"):
            if plain == "@":
                raise TodoError("@ needs the name or number of an artifact behind it")
            artifacts.append(plain[1:].removeprefix("#"))
        else:
            words.append(plain)
    if default and not (statuses or shown_all):
        statuses |= default.statuses
    return Filter(
        frozenset() if shown_all else frozenset(statuses),
        frozenset(priorities),
        tuple(artifacts),
        tuple(words),
    )


def _statuses(word: str) -> frozenset[TodoStatus] | None:
    """`open` means all that is open here, not pending alone; an empty set means no limit."""
    plain = word.strip().casefold().replace("-", "_")
    if plain == "open":
        return OPEN
    if plain == "all":
        return frozenset()
    aliases = {"done", "canceled"}
    return frozenset({parse_status(plain)}) if plain in STATUSES or plain in aliases else None


def _tokens(text: str) -> Iterable[tuple[str, bool]]:
    for index, part in enumerate(text.split('"')):
        if index % 2:
            if part.strip():
                yield part, True
        else:
            yield from ((word, False) for word in part.split())
