"""All commands that every door can run, in the order in which help shows them."""

from __future__ import annotations

from collections.abc import Iterable

from agent.commands import general, viewing
from agent.commands.registry import Command, Context, Registry
from agent.opening import Opened

COMMANDS: tuple[Command, ...] = (*viewing.COMMANDS, *general.COMMANDS)


def context_for(opened: Opened, own: Iterable[Command] = ()) -> Context:
    """What a door runs commands in; `own` are those that only it can run."""
    return Context(opened, Registry([*COMMANDS, *own]))
