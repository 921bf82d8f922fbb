"""Which todos a person or a model wants to see: statuses, priorities, artifacts, sprints, words, combined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.todos.errors import TodoError
from agent.todos.lines import NOTHING
from agent.todos.rules import OPEN, PRIORITIES, STATUSES, parse_status
from store.frozen import frozen
from store.records import Priority, Todo, TodoStatus

SPRINT = "sprint:"


@frozen
class Filter:
    """Words of one kind widen, kinds narrow each other; free words must all occur."""

    statuses: frozenset[TodoStatus] = frozenset()
    priorities: frozenset[Priority] = frozenset()
    artifacts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    sprints: tuple[str, ...] = ()

    @classmethod
    def of_status(cls, word: str) -> Filter:
        statuses = _statuses(word)
        return cls(frozenset({parse_status(word)}) if statuses is None else statuses)

    def admits(
        self, todo: Todo, artifacts: Mapping[int, str] = NOTHING, sprints: Mapping[int, str] = NOTHING
    ) -> bool:
        return (
            (not self.statuses or todo.status in self.statuses)
            and (not self.priorities or todo.priority in self.priorities)
            and (not self.artifacts or _named(todo.artifact_id, self.artifacts, artifacts))
            and (not self.sprints or _named(todo.sprint_id, self.sprints, sprints))
            and (not self.words or self._mentions(todo))
        )

    def select(
        self,
        todos: Iterable[Todo],
        artifacts: Mapping[int, str] = NOTHING,
        sprints: Mapping[int, str] = NOTHING,
    ) -> tuple[Todo, ...]:
        return tuple(todo for todo in todos if self.admits(todo, artifacts, sprints))

    def _mentions(self, todo: Todo) -> bool:
        text = todo.title if todo.notes is None else f"{todo.title}\n{todo.notes}"
        text = text.casefold()
        return all(word in text for word in self.words)


def parse_filter(text: str, *, default: Filter | None = None) -> Filter:
    """`open high @auth sprint:beta login`. Text in double quotes is searched for as it is, even `"open"`."""
    statuses: set[TodoStatus] = set()
    priorities: set[Priority] = set()
    artifacts: list[str] = []
    sprints: list[str] = []
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
        elif not quoted and plain.startswith(SPRINT):
            if plain == SPRINT:
                raise TodoError(f"{SPRINT} needs the name or number of a sprint behind it")
            sprints.append(plain.removeprefix(SPRINT).removeprefix("#"))
        else:
            words.append(plain)
    if default and not (statuses or shown_all):
        statuses |= default.statuses
    return Filter(
        frozenset() if shown_all else frozenset(statuses),
        frozenset(priorities),
        tuple(artifacts),
        tuple(words),
        tuple(sprints),
    )


def _named(linked: int | None, wanted: Iterable[str], names: Mapping[int, str]) -> bool:
    """By number, or by a part of the name."""
    if linked is None:
        return False
    name = names.get(linked, "").casefold()
    return any(word == str(linked) or word in name for word in wanted)


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
