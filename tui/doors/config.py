"""`wakeful config`: every setting, its value and where that came from; and a way to change one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING

from tui.configuration import read_config, user_paths
from tui.errors import DoorError
from tui.parser import Options

if TYPE_CHECKING:
    from agent.config.load import Loaded

HELP = """Show every setting and where it comes from.

Layers, each over the one before: defaults, your config.toml, .wakeful/config.toml of a trusted folder,
WAKEFUL_* variables, --set flags."""

Row = tuple[tuple[str, ...], object, str]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action=_show, key="")
    parser.add_argument("--json", action="store_true", help="print JSON")
    actions = parser.add_subparsers(title="commands", metavar="")
    get = actions.add_parser("get", help="print one value, or all below a group such as `wake`")
    get.add_argument("key", metavar="KEY", help="such as wake.max_cycles")
    # Without a default of its own, so that `config --json get KEY` works as well.
    get.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    get.set_defaults(action=_get)
    change = actions.add_parser("set", help="write one value to your config.toml")
    change.add_argument("key", metavar="KEY", help="such as wake.max_cycles")
    change.add_argument("value", metavar="VALUE", help="a TOML value or bare text")
    change.set_defaults(action=_set)
    key = actions.add_parser("set-key", help="store a provider's key, read from standard input")
    key.add_argument("provider", metavar="PROVIDER", help="such as openai or anthropic")
    key.add_argument("--remove", action="store_true", help="forget it")
    key.set_defaults(action=_set_key)
    path = actions.add_parser("path", help="print where your config.toml is")
    path.set_defaults(action=_path)


def run(options: Options) -> int:
    return options.action(options)


def _show(options: Options) -> int:
    from agent.config.load import values

    _print(list(values(read_config(options))), as_json=options.json)
    return 0


def _get(options: Options) -> int:
    from agent.config.layers import parse_key
    from agent.config.load import values

    path = parse_key(options.key)
    loaded = read_config(options)
    rows = [row for row in values(loaded) if row[0][: len(path)] == path]
    if not rows:
        raise _no_such_key(path)
    if len(rows) == 1 and rows[0][0] == path and not options.json:
        print(_plain(rows[0][1]))
    else:
        _print(rows, as_json=options.json)
    return 0


def _set(options: Options) -> int:
    from agent.config.layers import parse_key
    from agent.config.save import save

    path = parse_key(options.key)
    save(user_paths(), os.environ, path, options.value)
    _warn_if_covered(read_config(options), path)
    return 0


def _set_key(options: Options) -> int:
    """Never an argument: the shell's history and the process list are no place for a key."""
    from agent.models import keys

    file = user_paths().keys
    if options.remove:
        keys.store(file, options.provider, None)
        print(f"the key for {options.provider} is gone from {file}")
        return 0
    key = _typed_key(options.provider).strip()
    if not key:
        raise DoorError("no key was given", f"type or pipe it: wakeful config set-key {options.provider}")
    keys.store(file, options.provider, key)
    print(f"the key for {options.provider} is in {file}, readable by you alone")
    return 0


def _typed_key(provider: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    from getpass import getpass

    return getpass(f"key for {provider} (not shown): ")


def _path(options: Options) -> int:
    if options.json:
        print(json.dumps({"path": str(user_paths().config)}))
    else:
        print(user_paths().config)
    return 0


def _warn_if_covered(loaded: Loaded, path: tuple[str, ...]) -> None:
    from agent.config.load import shorten

    origin = loaded.origin(path)
    if not origin.startswith(shorten(user_paths().config, os.environ)):
        sys.stderr.write(f"wakeful: note: saved, but here {origin} wins\n")


def _no_such_key(path: tuple[str, ...]) -> DoorError:
    from agent.config.layers import unknown_key
    from agent.config.settings import find_setting, is_section

    if find_setting(path) or is_section(path):
        return DoorError(f"{'.'.join(path)} is not set", "wakeful config lists what is", code="not_set")
    message, _, hint = unknown_key(path).partition("; ")
    return DoorError(message, hint, code="unknown_key")


def _print(rows: list[Row], *, as_json: bool) -> None:
    from agent.config.edit import format_key

    if as_json:
        table = {format_key(path): {"value": value, "origin": origin} for path, value, origin in rows}
        print(json.dumps(table, ensure_ascii=False, indent=2))
        return
    pairs = [(f"{format_key(path)} = {_written(value)}", origin) for path, value, origin in rows]
    width = min(max((len(pair) for pair, _ in pairs), default=0), 60)
    for pair, origin in pairs:
        print(f"{pair:<{width}}  # {origin}")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else _written(value)


def _written(value: object) -> str:
    from agent.config.written import as_written

    return as_written(value)
