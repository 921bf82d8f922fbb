"""Whether a folder's own files may speak to us: until a person says so, none of them may."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent.permissions.rules import Rule


@dataclass(frozen=True, slots=True)
class Trust:
    """The answer for one folder; `notice` is for the person who runs us without a screen."""

    folder: Path
    trusted: bool
    notice: str = ""


def trust(folder: Path, trusted_at: int | None) -> Trust:
    """Belongs to the real path and to nothing above or below it, so that a clone inside is asked about."""
    if trusted_at is not None:
        return Trust(folder, trusted=True)
    return Trust(
        folder,
        trusted=False,
        notice=f"{folder} is not trusted: its configuration, agents, commands and instructions are not used; "
        f"to use them: wakeful trust {folder}",
    )


def trusted_rules(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """What even a trusted project may add: a project narrows what is allowed, it never widens it."""
    return tuple(rule for rule in rules if rule.verdict != "allow")
