"""What stands in a conversation in which nothing was said yet."""

from __future__ import annotations

from tui.transcript.entries import Cell, Printed

Row = tuple[Cell, ...]

_ABOUT: Row = (("Wakeful writes a plan, works through it, and stops when you say so.", "text"),)
_AIR: Row = (("", "text"),)
_TRY: tuple[Row, ...] = (
    (("survey this project", "accent"), ("a first look: watch the plan appear and move", "dim")),
    (("find the TODO comments", "accent"), ("in all files, with file and line", "dim")),
    (("explain @", "accent"), ("@ offers files; / offers commands, ! runs one of your shell", "dim")),
)


def welcome(*, unset: bool, palette: str, keys: str) -> Printed:
    """`unset` says that no model was chosen yet; the other two are keys, as the user has them."""
    if not unset:
        hint = f"Type what to do. / commands, @ files, ! shell, {palette} everything, {keys} keys."
        return Printed((_ABOUT, ((hint, "dim"),)))
    setup: tuple[Row, ...] = (
        (
            ("/setup", "accent"),
            ("choose a model: a provider with your key, or a server on this machine", "dim"),
        ),
        ((f"{keys}, {palette}", "accent"), ("all keys, and everything that can be done", "dim")),
    )
    offline = "No model is chosen, so the offline one is on: a planner that really works, but is no LLM."
    return Printed(
        (_ABOUT, _AIR, ((offline, "dim"),), ((("Try, or begin to type:", "dim")),), _AIR, *_TRY, *setup)
    )
