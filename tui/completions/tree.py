"""Reads off the parsers what may be typed where, for the writers of completion scripts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Literal, cast

from store.frozen import frozen
from tui.cli import DOORS, FRONT_DOOR
from tui.parser import actions, door_parser, load_door, subparsers, top_parser

# What an argument's metavar says about its value.
Kind = Literal["none", "words", "key", "assignment", "folder", "session", "anything"]
KINDS: dict[str, Kind] = {"KEY": "key", "KEY=VALUE": "assignment", "DIR": "folder", "ID": "session"}


@frozen
class Value:
    kind: Kind
    words: tuple[str, ...] = ()


@frozen
class Option:
    names: tuple[str, ...]
    help: str
    value: Value


@frozen
class Node:
    """A point on the command line: `path` is "" at the start, then "config", then "config/get"."""

    path: str
    options: tuple[Option, ...]
    commands: dict[str, str]
    positional: Value


def nodes() -> list[Node]:
    top = top_parser()
    front = door_parser(FRONT_DOOR, load_door(FRONT_DOOR))
    first = Node("", _merge(_options(top), _options(front)), dict(DOORS), Value("none"))
    return [first, *(node for name in DOORS for node in _tree(name, door_parser(name, load_door(name))))]


def setting_keys() -> list[str]:
    from agent.config.settings import NAME, all_settings

    return [setting.key for setting in all_settings() if NAME not in setting.path]


def valued_options(nodes: list[Node]) -> list[str]:
    """Options whose next word is their value and no command."""
    return sorted(
        {
            name
            for node in nodes
            for option in node.options
            if option.value.kind != "none"
            for name in option.names
        }
    )


def _tree(path: str, parser: argparse.ArgumentParser) -> Iterator[Node]:
    inner = subparsers(parser)
    positional = [
        _value(action)
        for action in actions(parser)
        if not action.option_strings and action.nargs != argparse.PARSER
    ]
    # Common options are read wherever they stand, but only the outer parsers list them.
    common = [
        option
        for option in _options(top_parser())
        if option.value.kind != "none" or "--debug" in option.names
    ]
    options = _merge(_options(parser), common)
    commands = {name: _command_help(parser, name) for name in inner} | _verbs(parser)
    yield Node(path, options, commands, positional[0] if positional else Value("none"))
    for verb in _verbs(parser):
        yield Node(f"{path}/{verb}", options, {}, Value("none"))
    for name, each in inner.items():
        yield from _tree(f"{path}/{name}", each)


def _merge(first: list[Option], second: list[Option]) -> tuple[Option, ...]:
    known = {name for option in first for name in option.names}
    return (*first, *(option for option in second if known.isdisjoint(option.names)))


def _options(parser: argparse.ArgumentParser) -> list[Option]:
    return [
        Option(tuple(action.option_strings), _line(action.help), _value(action))
        for action in actions(parser)
        if action.option_strings and action.help != argparse.SUPPRESS
    ]


def _verbs(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Of `todo`, which reads its words itself."""
    from agent.commands.editing import COMMANDS

    if not any(action.nargs == argparse.REMAINDER for action in actions(parser)):
        return {}
    return {each.name.partition(" ")[2]: each.help for each in COMMANDS if " " in each.name}


def _value(action: argparse.Action) -> Value:
    if action.metavar == "FILTER":
        from agent.commands.kinds import FILTERS

        return Value("words", FILTERS)
    if action.nargs in (0, argparse.REMAINDER):
        return Value("none")
    if action.choices is not None:
        return Value("words", tuple(map(str, action.choices)))
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    return Value(KINDS.get(metavar, "anything"))


def _command_help(parser: argparse.ArgumentParser, name: str) -> str:
    for action in actions(parser):
        if action.nargs == argparse.PARSER:
            # Only here does argparse keep the line given to add_parser.
            choices = cast("list[argparse.Action]", getattr(action, "_choices_actions", []))
            return next((_line(choice.help) for choice in choices if choice.dest == name), "")
    return ""


def _line(text: str | None) -> str:
    return re.sub(r"\s+", " ", (text or "").replace("%%", "%")).strip()
