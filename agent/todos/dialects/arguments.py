"""Reads what a model sent: arrays or JSON text, ids in any spelling, items counted from 1."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from agent.todos.drafts import Draft, Edit
from agent.todos.errors import ReasonError, TodoError
from agent.todos.rules import (
    check_batch,
    check_title,
    each_of,
    parse_blocker,
    parse_id,
    parse_priority,
    parse_status,
)
from store.clock import parse_time

Id = int | str
Ids = list[int | str] | str
Items = list[dict[str, Any] | str] | str

Reader = Callable[[object], object]


def array(what: str, value: object) -> list[object]:
    """An array, the JSON text of one, or a single value for an array of one."""
    if isinstance(value, str):
        text = value.strip()
        try:
            value = json.loads(text) if text[:1] in ("[", "{") else [text]
        except ValueError as error:
            raise TodoError(f"{what} is not valid JSON ({error}); send an array") from error
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    if not items:
        raise TodoError(f"{what} is empty; send at least one")
    check_batch(len(items))
    return items


def ids(value: object) -> list[int]:
    """As many as were sent, so that an error counts them as the caller did."""
    if isinstance(value, str) and value.strip()[:1] != "[":
        value = [each for each in value.replace(",", " ").split() if each]
    return each_of(array("ids", value), parse_id)


def titles(value: object) -> list[Draft]:
    """Drafts of plain titles, for the dialects in which an item has nothing else."""
    return each_of(array("items", value), _titled)


@contextmanager
def reason_in(parameter: str) -> Generator[None]:
    """Errors about a missing reason name the parameter of the dialect."""
    try:
        yield
    except ReasonError as error:
        raise TodoError(f"{error} in {parameter}") from error


def draft(shared: Mapping[str, object], item: object) -> Draft:
    """`shared` are the values given beside the items, which each item may override."""
    own: object = {"title": item} if isinstance(item, str) else item
    values = _fields({**shared, **_object(own)}, _DRAFT)
    if "title" not in values:
        raise TodoError("title is missing; every todo needs one")
    values["workspace_wide"] = values.pop("scope", "session") == "workspace"
    return Draft(**cast("dict[str, Any]", values))


def edit(item: object) -> Edit:
    values = _fields(_object(item), _EDIT)
    if "id" not in values:
        raise TodoError("id is missing; say which todo to change")
    return Edit(**cast("dict[str, Any]", values))


def given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _titled(item: object) -> Draft:
    if not isinstance(item, str):
        raise TodoError(f"{item!r} is no text; an item is the title of one todo")
    return Draft(check_title(item, rest="shorten it"))


def _object(item: object) -> dict[str, object]:
    if not isinstance(item, dict):
        raise TodoError(f"{item!r} is no object with fields")
    return cast("dict[str, object]", item)


def _fields(raw: Mapping[str, object], readers: Mapping[str, Reader]) -> dict[str, object]:
    unknown = [name for name in raw if name not in readers]
    if unknown:
        raise TodoError(f"there is no field {unknown[0]!r}; there are {', '.join(readers)}")
    return {name: _read(name, readers[name], value) for name, value in raw.items() if value is not None}


def _read(name: str, reader: Reader, value: object) -> object:
    try:
        return reader(value)
    except TodoError as error:
        raise type(error)(f"{name}: {error}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TodoError(f"{value!r} is no text")
    return value


def _link(value: object) -> int:
    """0 and empty text say that there shall be no link."""
    return 0 if value in (0, "", "0", "none") else parse_id(value)


def _links(value: object) -> tuple[int, ...]:
    if value in ("", []):
        return ()
    return tuple(ids(value))


def _time(value: object) -> int:
    """ISO 8601; a time without a zone is UTC."""
    try:
        return parse_time(_text(value))
    except (ValueError, OverflowError) as error:
        raise TodoError(f"{value!r} is no time; write it as 2026-11-18T09:30:00Z") from error


def _scope(value: object) -> str:
    if value not in ("session", "workspace"):
        raise TodoError(f"no scope {value!r}; there are session, workspace")
    return str(value)


_COMMON: dict[str, Reader] = {
    "title": _text,
    "notes": _text,
    "status": lambda value: parse_status(_text(value)),
    "priority": lambda value: parse_priority(_text(value)),
    "parent_id": _link,
    "depends_on": _links,
    "blocked_reason": _text,
    "blocked_on": lambda value: parse_blocker(_text(value)),
    "check": _text,
    "artifact_id": _link,
    "sprint_id": _link,
    "assignee": _text,
    "completed_at": _time,
}
_DRAFT: dict[str, Reader] = _COMMON | {"scope": _scope}
_EDIT: dict[str, Reader] = {"id": parse_id} | _COMMON
