"""What stands in a conversation in which nothing was said yet."""

from __future__ import annotations

from collections.abc import Sequence

from tui.bindings import NONE
from tui.transcript.entries import Cell, Printed

Row = tuple[Cell, ...]

_ABOUT: tuple[Row, ...] = (
    (("Wakeful", "heading"),),
    (("writes a plan, works through it, and stops when you say so.", "text"),),
)
_AIR: tuple[Row, ...] = ((("", "text"),),)
_OFFLINE: tuple[Row, ...] = (
    (("No model is chosen yet, so the built-in planner answers:", "dim"),),
    (("it really works, without key or network, but is no LLM.", "dim"),),
)
_TRY = (
    ("survey this project", "watch a plan appear and move"),
    ("find the TODO comments", "in all files, with file and line"),
    ("/setup", "choose a model: yours, or one on this machine"),
)


def welcome(*, unset: bool, palette: str, keys: str, told: Sequence[str] = ()) -> Printed:
    """`unset` says that no model was chosen yet; `palette` and `keys` are keys, as the user has them."""
    known = (
        ("/  @  !", "commands, files, your shell"),
        (palette, "everything that can be done"),
        (keys, "all keys"),
    )
    first = (*_AIR, *_OFFLINE, *_AIR, *_rows(_TRY)) if unset else ()
    notices = [*_AIR, *(((notice, "dim"),) for notice in told)] if told else []
    return Printed((*_ABOUT, *first, *_AIR, *_rows([each for each in known if each[0] != NONE]), *notices))


def _rows(pairs: Sequence[tuple[str, str]]) -> tuple[Row, ...]:
    return tuple(((what, "accent"), (does, "dim")) for what, does in pairs)
