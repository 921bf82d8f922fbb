"""`wakeful permissions`: lets people and scripts try their rules before an agent does."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from agent.permissions.display import display
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Places
from agent.permissions.policy import Decision, Policy
from agent.permissions.rules import Rule, parse_rules
from agent.tools.tool import Access

HELP = "try permission rules on a command or a path"

_ACCESS: dict[str, Access] = {
    "shell": "shell",
    "bash": "shell",
    "fetch": "fetch",
    **dict.fromkeys(("read", "glob", "grep"), "read"),
    **dict.fromkeys(("write", "edit", "patch"), "edit"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["check"])
    parser.add_argument(
        "--allow", metavar="RULE", action="append", default=[], help="TOOL PATTERN; repeatable"
    )
    parser.add_argument("--tool", default="shell", help="shell (default), read, write, edit, fetch, ...")
    parser.add_argument("--json", action="store_true", help="answer JSON lines from standard input")
    parser.add_argument("subject", nargs="*", metavar="COMMAND-OR-PATH")


def run(options: argparse.Namespace) -> int:
    places = _places(Path.cwd())
    if options.json:
        answer_lines(sys.stdin.buffer, places)
        return 0
    subject = " ".join(cast("list[str]", options.subject))
    if not subject:
        print("wakeful permissions check: a command or a path is needed", file=sys.stderr)
        return 2
    try:
        rules = parse_rules(cast("list[str]", options.allow), "session")
    except PermissionsError as error:
        print(f"wakeful permissions check: {error}", file=sys.stderr)
        return 2
    tool = cast("str", options.tool)
    decision = Policy(places, rules).decide(tool, _access(tool), subject)
    print(f"{decision.verdict}: {display(decision.reason)}")
    return 0


def answer_lines(lines: Iterable[bytes], places: Places) -> None:
    """One answer a line, for a bad line too: whoever reads counts on it."""
    for line in lines:
        try:
            decision = _answer(line, places)
        except (ValueError, RecursionError) as error:
            decision = Decision("deny", f"bad line: {error}")
        reply = {"verdict": decision.verdict, "reason": display(decision.reason)}
        print(json.dumps(reply), flush=True)


def _answer(line: bytes, places: Places) -> Decision:
    row: object = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("not an object")
    fields = cast("dict[str, object]", row)
    tool = fields.get("tool", "shell")
    subject = next((fields[key] for key in ("command", "path", "url") if key in fields), None)
    if not isinstance(tool, str) or not isinstance(subject, str):
        raise ValueError("tool and command (or path) must be text")
    allowing = [Rule(tool, pattern, "allow", "session") for pattern in _patterns(fields, "allow")]
    denying = [Rule(tool, pattern, "deny", "session") for pattern in _patterns(fields, "deny")]
    return Policy(places, (*allowing, *denying)).decide(tool, _access(tool), subject)


def _patterns(fields: dict[str, object], key: str) -> list[str]:
    given = fields.get(key, [])
    if not isinstance(given, list):
        raise ValueError(f"{key} must be a list of patterns")
    patterns = cast("list[object]", given)
    if not all(isinstance(pattern, str) for pattern in patterns):
        raise ValueError(f"{key} must be a list of patterns")
    return cast("list[str]", patterns)


def _access(tool: str) -> Access:
    # A name nobody knows gets the strictest treatment a path can get.
    return _ACCESS.get(tool, "edit")


def _places(root: Path) -> Places:
    # platformdirs is only needed here.
    import os

    from platformdirs import user_config_path, user_data_path, user_state_path

    home = os.environ.get("WAKEFUL_HOME")
    if home:
        return Places(root, (Path(home),))
    return Places(root, (user_config_path("wakeful"), user_data_path("wakeful"), user_state_path("wakeful")))
