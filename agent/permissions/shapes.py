"""Matches a call against the shape of its program: the options and operands that are known, nothing else.

A shape is two short texts. `options` lists `-abc` (letters without a value), `-A:N` (a letter with a value),
`--long`, `--long:T` (value required), `--long?:T` (value only after `=`) and `-#` (a number as an option).
`operands` lists kinds in order; `?` marks an optional one and `*` any number. Abbreviations do not match.

The kinds: T text, N number, S text that begins with `+`, F file that is read, R the same but not a folder,
P name of which only the data of the file system is shown, D folder that is listed in depth, C folder whose
files are read in depth, H the same without hidden names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from agent.permissions.bash import Word
from agent.permissions.errors import PermissionsError
from store.frozen import frozen

Kind = Literal["T", "N", "S", "F", "R", "P", "D", "C", "H"]
# `gnu` joins letters and values; `words` takes every option as a word; `go` allows `=` in such words.
Style = Literal["gnu", "words", "go"]

_KINDS: tuple[Kind, ...] = get_args(Kind)
_PATHS = frozenset("FRPDCH")
_DEEP: Mapping[Kind, Kind] = {"P": "D", "F": "C", "H": "C"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?[A-Za-z]{0,3}")


class ShapeError(PermissionsError):
    """The call has a word that the shape does not know."""


@frozen
class Shape:
    """`walking` options turn operands into trees; with one of `replacing` the first operand is not given."""

    options: str = ""
    operands: str = ""
    style: Style = "gnu"
    walking: str = ""
    replacing: str = ""


@frozen
class Use:
    """A word and what the program does with it."""

    kind: Kind
    word: Word


@frozen
class _Operand:
    kind: Kind
    optional: bool
    many: bool


def uses(shape: Shape, words: Sequence[Word]) -> tuple[Use, ...]:
    """Return the use of each argument. Raise ShapeError if one does not fit."""
    known = _options(shape.options, shape.style)
    options, values, operands = _sorted_words(known, shape.style, words)
    wanted = list(_operands(shape.operands))
    if options & frozenset(shape.replacing.split()):
        wanted.pop(0)
    walking = bool(options & frozenset(shape.walking.split()))
    return (*values, *_placed(wanted, operands, walking=walking))


def _sorted_words(
    known: Mapping[str, str], style: Style, words: Sequence[Word]
) -> tuple[set[str], list[Use], list[Word]]:
    options: set[str] = set()
    values: list[Use] = []
    operands: list[Word] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        if style == "gnu" and word.text == "--":
            operands += reversed(waiting)
            break
        if word.text == "-" or not (word.text.startswith("-") or (style != "gnu" and word.text in known)):
            operands.append(word)
            continue
        if word.glob:
            raise ShapeError(f"{word.text} can become any option")
        read = _letters if style == "gnu" and not word.text.startswith("--") else _option
        for name, use in read(known, style, word.text, waiting):
            options.add(name)
            values += [use] if use else []
    return options, values, operands


def _option(
    known: Mapping[str, str], style: Style, text: str, waiting: list[Word]
) -> Iterator[tuple[str, Use | None]]:
    name, equals, value = (text, "", "") if style == "words" else text.partition("=")
    kind = known.get(name)
    if kind is None or (equals and not kind):
        raise ShapeError(f"the option {text} is not known to be harmless")
    if equals:
        yield name, _use(kind.removeprefix("?"), Word(value))
    elif kind and not kind.startswith("?"):
        yield name, _use(kind, _next(text, waiting))
    else:
        yield name, None


def _letters(
    known: Mapping[str, str], _style: Style, text: str, waiting: list[Word]
) -> Iterator[tuple[str, Use | None]]:
    if "-#" in known and re.fullmatch(r"-\d+", text):
        return
    for position, letter in enumerate(text[1:], 2):
        name = f"-{letter}"
        kind = known.get(name)
        if kind is None:
            raise ShapeError(f"the option {text} is not known to be harmless")
        if kind:
            rest = text[position:]
            yield name, _use(kind, Word(rest) if rest else _next(text, waiting))
            return
        yield name, None


def _next(text: str, waiting: list[Word]) -> Word:
    if not waiting:
        raise ShapeError(f"the option {text} lacks its value")
    return waiting.pop()


def _placed(wanted: list[_Operand], operands: Sequence[Word], *, walking: bool) -> Iterator[Use]:
    remaining = list(reversed(operands))
    for operand in wanted:
        kind = _DEEP.get(operand.kind, operand.kind) if walking else operand.kind
        if not remaining:
            if not (operand.optional or operand.many):
                raise ShapeError("an operand is missing")
            if operand.many and kind in "DCH":
                yield Use(kind, Word("."))
            continue
        if operand.many:
            yield from (_use(kind, word, many=True) for word in reversed(remaining))
            remaining.clear()
        else:
            yield _use(kind, remaining.pop())
    if remaining:
        raise ShapeError(f"{remaining[-1].text} is one operand too many")


def _use(kind: str, word: Word, *, many: bool = False) -> Use:
    """A pattern becomes any number of names, so it fits only where any number of files does."""
    if word.glob and not (many and kind in _PATHS):
        raise ShapeError(f"{word.text} can become any number of words")
    plus = word.text.startswith("+")
    if (kind in _PATHS and plus) or (kind == "S" and not plus):
        raise ShapeError(f"{word.text} is not a plain name")
    if kind == "N" and not _NUMBER.fullmatch(word.text):
        raise ShapeError(f"{word.text} is not a number")
    return Use(_kind(kind), word)


def _kind(text: str) -> Kind:
    return next(kind for kind in _KINDS if kind == text)


@cache
def _options(text: str, style: Style) -> Mapping[str, str]:
    """Maps each option to the kind of its value: empty for none, with `?` if the value needs `=`."""
    known: dict[str, str] = {}
    for token in text.split():
        name, _, kind = token.partition(":")
        if style == "gnu" and not kind and re.fullmatch(r"-[A-Za-z0-9.]+", name):
            known |= {f"-{letter}": "" for letter in name[1:]}
        else:
            known[name.rstrip("?")] = "?" * name.endswith("?") + kind
    return known


@cache
def _operands(text: str) -> tuple[_Operand, ...]:
    return tuple(
        _Operand(_kind(token[0]), token.endswith("?"), token.endswith("*")) for token in text.split()
    )
