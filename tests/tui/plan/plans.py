"""Todos and drawn rows for tests of the plan."""

from collections.abc import Sequence
from dataclasses import replace

from store.records import Todo
from tui.plan.drawing import Sight, draw
from tui.plan.rows import Group, Item, Names
from tui.theme import load_theme
from tui.transcript.ink import PLAIN, Glyphs, Ink
from tui.transcript.wrapping import Run

NOW = 1_700_000_000_000
INK = Ink(load_theme(), Glyphs())
ASCII = Ink(load_theme(), PLAIN)


def todo(number: int, title: str = "", **changes: object) -> Todo:
    plain = Todo(
        id=number,
        session_id="s",
        workspace="/project",
        tenant="local",
        parent_id=None,
        title=title or f"step {number}",
        notes=None,
        status="pending",
        blocked_reason=None,
        blocked_on=None,
        priority="medium",
        depends_on=(),
        artifact_id=None,
        sprint_id=None,
        check=None,
        position=number,
        assignee=None,
        created_by="agent:build",
        completed_by=None,
        created_at=NOW,
        updated_at=NOW,
        completed_at=None,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # a test names fields of Todo


def sight(width: int = 36, *, ink: Ink = INK, names: Names | None = None, dense: bool = False) -> Sight:
    return Sight(ink, width, NOW, names or Names(), dense)


def texts(lines: Sequence[Sequence[Run]]) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def drawn(row: Item | Group, width: int = 36, *, ink: Ink = INK, names: Names | None = None) -> list[str]:
    return texts(draw(row, sight(width, ink=ink, names=names)))
