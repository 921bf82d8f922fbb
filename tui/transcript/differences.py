"""Reads unified diffs into rows that know their line numbers and which words changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from difflib import SequenceMatcher

Kind = Literal["same", "add", "remove", "file", "gap"]
Span = tuple[int, int]

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_KINDS: dict[str, Kind] = {" ": "same", "": "same", "+": "add", "-": "remove"}
_WORDS = re.compile(r"\w+|\s+|.")
# Word marks help where a line was edited, not where it was replaced.
_ALIKE = 0.5
_LONGEST = 400
_MOST_PAIRED = 12


@dataclass(slots=True)
class Row:
    """`old` and `new` are line numbers; `marks` the parts of `text` that changed."""

    kind: Kind
    text: str
    old: int = 0
    new: int = 0
    marks: list[Span] = field(default_factory=list[Span])

    @property
    def number(self) -> int:
        return self.old if self.kind == "remove" else self.new


def read(diff: str) -> list[Row]:
    rows = list(_rows(diff))
    if sum(row.kind == "file" for row in rows) == 1:
        rows = [row for row in rows if row.kind != "file"]
    for removed, added in changes(rows):
        for one, other in pairs(removed, added):
            if one and other:
                _mark(one, other)
    return rows


def changes(rows: list[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """What was removed in a place, and what was put there."""
    removed: list[Row] = []
    added: list[Row] = []
    for row in [*rows, Row("gap", "")]:
        if row.kind == "remove" and not added:
            removed.append(row)
        elif row.kind == "add":
            added.append(row)
        else:
            if removed or added:
                yield removed, added
            removed, added = ([row], []) if row.kind == "remove" else ([], [])


def pairs(removed: list[Row], added: list[Row]) -> list[tuple[Row | None, Row | None]]:
    """Which line became which: as they stand where as many came as went, else by likeness, in order."""
    if len(removed) == len(added) or max(len(removed), len(added)) > _MOST_PAIRED:
        return list(zip_longest(removed, added))
    found: list[tuple[Row | None, Row | None]] = []
    left = removed.copy()
    for other in added:
        likeness = [_likeness(one, other) for one in left]
        best = max(range(len(left)), key=likeness.__getitem__, default=None)
        if best is None or likeness[best] < _ALIKE:
            found.append((None, other))
            continue
        found += [(one, None) for one in left[:best]]
        found.append((left[best], other))
        del left[: best + 1]
    return found + [(one, None) for one in left]


def couples(rows: list[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """What stands beside each other, before and after, either side in the order of its file."""
    ahead = {id((removed or added)[0]): (removed, added) for removed, added in changes(rows)}
    for row in rows:
        if change := ahead.get(id(row)):
            yield from pairs(*change)
        elif row.kind not in ("add", "remove"):
            yield row, row


def near(rows: list[Row], context: int) -> list[Row]:
    """The changes with so many lines around each."""
    changed = [index for index, row in enumerate(rows) if row.kind in ("add", "remove")]
    kept = {at for index in changed for at in range(index - context, index + context + 1)}
    return _with_gaps(rows, [row.kind == "file" or index in kept for index, row in enumerate(rows)])


def beginnings(rows: list[Row], most: int) -> list[Row]:
    """So many lines of each change; what was put there rather than what was removed."""
    left: set[int] = set()
    for removed, added in changes(rows):
        few = [*added, *removed][most:]
        left |= {id(row) for row in few}
    return _with_gaps(rows, [id(row) not in left for row in rows])


def paths(diff: str) -> list[str]:
    return [row.text for row in _rows(diff) if row.kind == "file"]


def counts(diff: str) -> tuple[int, int]:
    """How many lines were added and removed."""
    kinds = [row.kind for row in _rows(diff)]
    return kinds.count("add"), kinds.count("remove")


def _rows(diff: str) -> Iterator[Row]:
    """Counts tell where a hunk ends: a removed line may look like the head of the next file."""
    old = new = old_end = new_end = 0
    earlier = ""
    fresh = True
    for line in diff.split("\n"):
        if old < old_end or new < new_end:
            kind: Kind | None = _KINDS.get(line[:1])
            if kind:
                yield Row(kind, line[1:], old, new)
                old += kind != "add"
                new += kind != "remove"
        elif hunk := _HUNK.match(line):
            if not fresh:
                yield Row("gap", "")
            old, new, fresh = int(hunk[1]), int(hunk[3]), False
            old_end, new_end = old + int(hunk[2] or 1), new + int(hunk[4] or 1)
        elif line.startswith("--- "):
            earlier = line[4:]
        elif line.startswith("+++ "):
            name = line[4:] if line[4:] != "/dev/null" else earlier
            yield Row("file", name.removeprefix("b/").removeprefix("a/"))
            fresh = True


def _with_gaps(rows: list[Row], kept: list[bool]) -> list[Row]:
    """One gap wherever something was left out between two that are kept."""
    found: list[Row] = []
    missing = False
    for row, wanted in zip(rows, kept, strict=True):
        if not wanted or row.kind == "gap":
            missing = True
            continue
        if missing and found and row.kind != "file" and found[-1].kind != "file":
            found.append(Row("gap", ""))
        found.append(row)
        missing = False
    return found


def _likeness(one: Row, other: Row) -> float:
    if max(len(one.text), len(other.text)) > _LONGEST:
        return 0.0
    return _matcher(one, other).ratio()


def _mark(one: Row, other: Row) -> None:
    if one.text == other.text or _likeness(one, other) < _ALIKE:
        return
    left, right = _WORDS.findall(one.text), _WORDS.findall(other.text)
    for kind, from_left, to_left, from_right, to_right in _matcher(one, other).get_opcodes():
        if kind != "equal":
            _add_mark(one.marks, _span(left, from_left, to_left))
            _add_mark(other.marks, _span(right, from_right, to_right))


def _add_mark(marks: list[Span], span: Span) -> None:
    """Marks that only a point parts read better as one."""
    if span[0] == span[1]:
        return
    if marks and span[0] - marks[-1][1] <= 1:
        marks[-1] = (marks[-1][0], span[1])
    else:
        marks.append(span)


def _matcher(one: Row, other: Row) -> SequenceMatcher[str]:
    # difflib costs 10 ms to import.
    from difflib import SequenceMatcher

    return SequenceMatcher(None, _WORDS.findall(one.text), _WORDS.findall(other.text), autojunk=False)


def _span(words: list[str], start: int, end: int) -> Span:
    before = sum(map(len, words[:start]))
    return before, before + sum(map(len, words[start:end]))
