"""Turns the table of doors into argparse parsers, importing a door only when it is named."""

from __future__ import annotations

import argparse
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from tui.cli import DOORS, FRONT_DOOR
from tui.errors import UsageError
from tui.version import VERSION

if TYPE_CHECKING:
    from tui.instant.early import Early


class Options(argparse.Namespace):
    """What every door is given; a door's own arguments are further attributes."""

    directory: Path | None
    settings: list[str]
    debug: bool
    early: Early | None = None


class Door(Protocol):
    """What a module in `tui.doors` offers; `run` returns the exit status."""

    HELP: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, options: Options) -> int: ...


class Parser(argparse.ArgumentParser):
    """Raises instead of exiting, so that every complaint leaves by the same way."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see {self.prog} --help")


def parse(arguments: list[str]) -> tuple[Door, Options]:
    options, rest = _common_parser().parse_known_args(arguments, namespace=Options())
    if rest and rest[0] in {"-h", "--help", "-V", "--version"}:
        top_parser().parse_args(rest)
    name = FRONT_DOOR
    if rest and rest[0] in DOORS:
        name, *rest = rest
    elif rest and not rest[0].startswith("-"):
        _check_prompt(rest)
    door = load_door(name)
    parser = door_parser(name, door)
    _, unknown = parser.parse_known_args(rest, namespace=options)
    if unknown:
        raise UsageError(
            f"{parser.prog} does not know {unknown[0]!r}", _suggestion(unknown[0], option_strings(parser))
        )
    return door, options


def _check_prompt(words: list[str]) -> None:
    """What names no command is said to the agent, unless somebody may have meant a command after all."""
    first = words[0]
    sentence = " " in first.strip() or len([word for word in words if not word.startswith("-")]) > 1
    near = _nearest(first, list(DOORS), 0.8 if sentence else 0.75)
    if near and " " not in first:
        more = f' `wakeful "{" ".join(words)}"` says it to the agent' if sentence else ""
        raise UsageError(f"no command named {first!r}", f"did you mean {near}?{more}")
    if _at_a_terminal():
        return
    if sentence:
        said = " ".join(words)
        plain = re.fullmatch(r"[\w ,.:?'/-]{1,60}", said) and not any(word.startswith("-") for word in words)
        prompt = f'"{said}"' if plain else "PROMPT"
        raise UsageError("there is no terminal here", f"use `wakeful run {prompt}`")
    raise UsageError(f"no command named {first!r}", "see wakeful --help")


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def top_parser() -> argparse.ArgumentParser:
    width = max(map(len, DOORS))
    doors = "\n".join(f"  {name:<{width}}  {line}" for name, line in DOORS.items())
    parser = Parser(
        prog="wakeful",
        description="A terminal agent shell whose plan is real.",
        epilog=f"commands:\n{doors}\n\n`wakeful COMMAND --help` says more; without a command: {FRONT_DOOR}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="wakeful [-h] [-V] [-C DIR] [--set KEY=VALUE] [--debug] [COMMAND ... | PROMPT]",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"wakeful {VERSION}")
    _add_common(parser)
    return parser


def _common_parser() -> argparse.ArgumentParser:
    """Read before all others, so that these options may stand anywhere, after a door's own commands too."""
    parser = Parser(prog="wakeful", add_help=False, allow_abbrev=False)
    _add_common(parser)
    return parser


def load_door(name: str) -> Door:
    return cast("Door", import_module(f"tui.doors.{name}"))


def door_parser(name: str, door: Door) -> argparse.ArgumentParser:
    parser = Parser(
        prog=f"wakeful {name}",
        description=door.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    door.arguments(parser)
    _add_common(parser)
    return parser


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    # argparse has no public way to list what was added to a parser.
    return list(parser._actions)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found: dict[str, argparse.ArgumentParser] = {}
    for action in actions(parser):
        if action.nargs == argparse.PARSER:
            found.update(cast("dict[str, argparse.ArgumentParser]", action.choices))
    return found


def option_strings(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in actions(parser) for option in action.option_strings]


def _add_common(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("everywhere")
    group.add_argument(
        "-C",
        dest="directory",
        metavar="DIR",
        type=Path,
        help="work in this folder instead of the current one",
    )
    group.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a setting for this run (repeatable)",
    )
    group.add_argument("--debug", action="store_true", help="show the traceback of an error")


def _suggestion(word: str, known: list[str]) -> str:
    near = _nearest(word, known, 0.5)
    return f"did you mean {near}?" if near else "see wakeful --help"


def _nearest(word: str, known: list[str], likeness: float) -> str | None:
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=likeness)
    return found[0] if found else None
