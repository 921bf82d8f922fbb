"""Finishes what is being typed: command names first, then each argument by its kind."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.commands.matching import rank
from agent.commands.registry import Command, Completion, Context, Kind, take_word

_NAMING = re.compile(r"\s*/([\w-]*)$")
_BEHIND = re.compile(r"\s*/([\w-]+)\s+(\S*)$")


async def complete(context: Context, line: str, cursor: int | None = None) -> list[Completion]:
    """What could stand at the cursor, best first; nothing for a line that is no command."""
    typed = line if cursor is None else line[:cursor]
    naming = _NAMING.match(typed)
    if naming:
        return _names(context, naming[1], naming.start(1) - 1)
    found = _command(context, typed)
    if found is None:
        return []
    behind = _BEHIND.match(typed)
    inner = _inner(context, behind[1], behind[2], behind.start(2)) if behind else []
    command, start = found
    return [*inner, *await _argument(context, command, typed, start)]


def mentions_files(context: Context, typed: str) -> bool:
    """Whether an `@` at the cursor names a file."""
    found = _command(context, typed)
    return found is None or all(argument.kind.mentions for argument in found[0].arguments)


def _names(context: Context, typed: str, start: int) -> list[Completion]:
    commands = [each for each in context.registry if " " not in each.name]
    return [
        Completion(f"/{each.name}", each.usage, each.help, start, names=True, ready=each.ready)
        for each in rank(typed, commands, lambda each: (each.name,))
    ]


def _inner(context: Context, outer: str, typed: str, start: int) -> list[Completion]:
    prefix = f"{outer.lower()} "
    commands = [each for each in context.registry if each.name.startswith(prefix)]
    return [
        Completion(
            each.name.removeprefix(prefix),
            each.usage.removeprefix("/"),
            each.help,
            start,
            names=True,
            ready=each.ready,
        )
        for each in rank(typed, commands, lambda each: (each.name.removeprefix(prefix),))
    ]


def _command(context: Context, typed: str) -> tuple[Command, int] | None:
    """The command, and where its arguments begin."""
    words = re.match(r"\s*/([\w-]+)(\s+)(?:([\w-]+)(\s+))?", typed)
    if words is None:
        return None
    outer, inner = words[1].lower(), (words[3] or "").lower()
    found = context.registry.get(f"{outer} {inner}") if inner else None
    if found is not None:
        return found, words.end()
    found = context.registry.get(outer)
    return None if found is None else (found, words.end(2))


async def _argument(context: Context, command: Command, typed: str, start: int) -> list[Completion]:
    rest = typed[start:]
    for argument in command.arguments:
        behind = "" if argument.kind.rest else take_word(rest)[1]
        if argument.kind.rest or (not behind and not rest[-1:].isspace()):
            return await _offered(context, argument.kind, rest, len(typed) - len(rest))
        rest = behind
    return []


async def _offered(context: Context, kind: Kind, typed: str, start: int) -> list[Completion]:
    if kind.complete is None:
        return []
    found = await kind.complete(context, typed)
    # A kind that completes the last of several words says where that begins.
    last = max((each.start for each in found), default=0)
    wanted = typed[last:].lstrip('"')
    ranked = rank(wanted, found, lambda each: (each.text, each.label))
    return [replace(each, start=start + each.start) for each in ranked]
