"""Frozen classes of settings, and what fits into them.

Pydantic would do it too, for 0.2 s at every start and 12 MB in every window.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

_A = TypeVar("_A", bound="Area")
_YES, _NO = ("true", "1", "yes", "on", "t", "y"), ("false", "0", "no", "off", "f", "n")

Place = tuple[str | int, ...]


class MisfitError(Exception):
    """`where` is inside the value: the number of an item of a list."""

    def __init__(self, expectation: str, given: object, where: Place = ()) -> None:
        super().__init__(expectation)
        self.expectation = expectation
        self.given = given
        self.where = where


class Limits(NamedTuple):
    """What a value must keep to besides its type; `commas` says that a text may be a list too.

    A pattern says nothing to the person who missed it, so it has words beside it.
    """

    least: float | None = None
    above: float | None = None
    shortest: int = 0
    pattern: str = ""
    expectation: str = ""
    commas: bool = False


def Field(  # noqa: N802 reads like a class where it is used
    *,
    default: object = MISSING,
    default_factory: Callable[[], object] | None = None,
    description: str = "",
    user_only: bool = False,
    consented: bool = False,
    limits: Limits | None = None,
) -> Any:  # noqa: ANN401 of whatever type the field has
    """`user_only` marks what the user's own layers may change and a project may not.

    `consented` marks what a project may set only to a value that the user agreed to.
    """
    metadata = {
        "description": description,
        "user_only": user_only,
        "consented": consented,
        "limits": limits,
    }
    if default_factory is not None:
        return field(default_factory=default_factory, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(Field,))
class Area:
    """A group of settings; each has a default, so there is always a whole one."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def made(cls, values: Mapping[str, object]) -> Self:
        """Of values that fit; what is left out has its default."""
        kinds = {each.name: each.kind for each in parts(cls)}
        return cls(**{name: _filled(kinds[name], value) for name, value in values.items()})


class Part(NamedTuple):
    """One setting, or one group of them, of an area."""

    name: str
    kind: object
    default: object
    description: str
    user_only: bool
    consented: bool
    limits: Limits | None


def parts(area: type[Area]) -> Iterator[Part]:
    hints = get_type_hints(area, include_extras=True)
    for each in fields(cast("Any", area)):
        default = None if each.default is MISSING else each.default
        meta = each.metadata
        yield Part(each.name, hints[each.name], default, **meta)


def is_area(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Area)


def fit(kind: object, value: object, limits: Limits | None = None, *, typed: bool = True) -> object:
    """The value as its setting wants it; without types, as on a command line, a text may mean more."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        own = next((note for note in notes if isinstance(note, Limits)), limits)
        return fit(inner, value, own, typed=typed)
    if get_origin(kind) in {Union, UnionType}:
        inner = next(each for each in get_args(kind) if each is not NoneType)
        # TOML has no null, so a setting that may be absent is switched off by name.
        return None if value in (None, "none") else fit(inner, value, limits, typed=typed)
    if get_origin(kind) is Literal:
        return _choice(get_args(kind), value)
    if get_origin(kind) is tuple:
        if isinstance(value, str) and limits and limits.commas:
            value = [part.strip() for part in value.split(",")]
        elif isinstance(value, str) and not typed and not value.lstrip().startswith("["):
            value = [value] if value.strip() else []
        return _items(get_args(kind)[0], value, typed=typed)
    return _within(_scalar(cast("type", kind), value, typed=typed), limits, value)


def _filled(kind: object, value: object) -> object:
    if is_area(kind):
        return cast("type[Area]", kind).made(cast("Mapping[str, object]", value))
    if get_origin(kind) is dict:
        inner = get_args(kind)[1]
        return {name: _filled(inner, each) for name, each in cast("Mapping[str, object]", value).items()}
    return value


def _choice(choices: Sequence[str], value: object) -> object:
    if value in choices:
        return value
    quoted = [f"'{choice}'" for choice in choices]
    said = f"{', '.join(quoted[:-1])} or {quoted[-1]}" if quoted[1:] else quoted[0]
    raise MisfitError(f"should be {said}", value)


def _items(kind: object, value: object, *, typed: bool) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise MisfitError('should be a list: ["…", "…"]', value)
    found: list[object] = []
    for number, item in enumerate(cast("Sequence[object]", value)):
        try:
            found.append(fit(kind, item, typed=typed))
        except MisfitError as misfit:
            raise MisfitError(misfit.expectation, misfit.given, (number, *misfit.where)) from misfit
    return tuple(found)


def _scalar(kind: type, value: object, *, typed: bool) -> object:
    text = value.strip().lower() if isinstance(value, str) and not typed else None
    match kind.__name__:
        case "bool":
            if isinstance(value, bool):
                return value
            if text in (*_YES, *_NO):
                return text in _YES
            raise MisfitError("should be a valid boolean", value)
        case "int" | "float":
            return _number(kind, value, text)
        case _:
            if isinstance(value, str):
                return value
            raise MisfitError("should be a valid string", value)


def _number(kind: type, value: object, text: str | None) -> object:
    whole = kind is int
    try:
        number = (int(text) if whole else float(text)) if text is not None else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, int if whole else int | float):
        raise MisfitError(f"should be a valid {'integer' if whole else 'number'}", value)
    if isinstance(number, float) and not math.isfinite(number):
        raise MisfitError("should be a finite number", value)
    return number if whole else float(number)


def _within(value: object, limits: Limits | None, given: object) -> object:
    if limits is None:
        return value
    if isinstance(value, int | float):
        if limits.least is not None and value < limits.least:
            raise MisfitError(f"should be greater than or equal to {limits.least:g}", given)
        if limits.above is not None and value <= limits.above:
            raise MisfitError(f"should be greater than {limits.above:g}", given)
    elif isinstance(value, str):
        if len(value) < limits.shortest:
            raise MisfitError("should not be empty", given)
        if limits.pattern and not re.fullmatch(limits.pattern, value):
            raise MisfitError(f"should be {limits.expectation}", given)
    return value
