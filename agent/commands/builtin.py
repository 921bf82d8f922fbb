"""All commands that every door can run, in the order in which help shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agent.commands import (
    allowing,
    archiving,
    compacting,
    editing,
    general,
    planning,
    rewinding,
    sessions,
    showing,
    sprinting,
    viewing,
    working,
)
from agent.commands.registry import Command, Context, Registry
from agent.commands.written import written
from agent.opening import Opened

GROUPS: dict[str, tuple[Command, ...]] = {
    "The plan": (
        *viewing.COMMANDS,
        *editing.COMMANDS,
        *planning.COMMANDS,
        *sprinting.COMMANDS,
    ),
    "The agent": (*working.COMMANDS, *compacting.COMMANDS),
    "What it may do": allowing.COMMANDS,
    "Sessions": (*sessions.COMMANDS, *archiving.COMMANDS, *rewinding.COMMANDS),
    "The rest": (*showing.COMMANDS, *general.COMMANDS),
}
COMMANDS = tuple(command for group in GROUPS.values() for command in group)


def context_for(
    opened: Opened, own: Iterable[Command] = (), words: Callable[[str], Sequence[str]] | None = None
) -> Context:
    """What a door runs commands in; `own` are those that only it can run, `words` those only it knows."""
    known = Registry([*COMMANDS, *own])
    # A file must not take the place of a command that people rely on.
    free = [each for each in written(opened) if each.name not in known]
    registry = known.extended(free)
    return Context(opened, registry, words) if words else Context(opened, registry)
