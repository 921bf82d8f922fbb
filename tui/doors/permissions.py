"""`wakeful permissions`: lets people and scripts try their rules before an agent does."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import cast

from agent.agents.load import load_all
from agent.executables import absolute_entries
from agent.paths import Paths
from agent.permissions.display import display
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Places
from agent.permissions.policy import Decision, Policy
from agent.permissions.protected_places import workspace_objection
from agent.permissions.rules import Rule, parse_rules
from agent.permissions.sandbox import find_sandbox
from agent.tools.tool import Access
from store.records import Verdict
from tui.configuration import folder_standing, read_config, user_paths
from tui.errors import UsageError
from tui.parser import Options

HELP = "Say what the permission rules make of a command or a path."

_ACCESS: dict[str, Access] = {
    "shell": "shell",
    "bash": "shell",
    "fetch": "fetch",
    **dict.fromkeys(("read", "glob", "grep"), "read"),
    **dict.fromkeys(("write", "edit", "patch"), "edit"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="action", metavar="COMMAND", required=True)
    check = commands.add_parser("check", help="allow, ask or deny, and why", allow_abbrev=False)
    check.add_argument(
        "--allow", metavar="RULE", action="append", default=[], help="TOOL PATTERN; repeatable"
    )
    check.add_argument(
        "--tool", metavar="NAME", default="shell", help="shell (default), read, write, fetch, ..."
    )
    check.add_argument("--json", action="store_true", help="answer JSON lines from standard input")
    check.add_argument("subject", nargs="?", default="", metavar="COMMAND-OR-PATH")


def run(options: Options) -> int:
    paths = user_paths()
    policy = _policy(options, paths)
    if options.json:
        answer_lines(sys.stdin.buffer, policy)
        return 0
    subject = cast("str", options.subject)
    if not subject:
        raise UsageError("a command or a path is needed", "such as: wakeful permissions check 'git log'")
    try:
        allowed = parse_rules(cast("list[str]", options.allow), "session")
    except PermissionsError as error:
        raise UsageError(str(error)) from error
    tool = cast("str", options.tool)
    decision = replace(policy, rules=(*policy.rules, *allowed)).decide(tool, _access(tool), subject)
    print(f"{decision.verdict}: {display(decision.reason)}")
    return 0


def _policy(options: Options, paths: Paths) -> Policy:
    """The policy with which a session of the default agent begins in this folder."""
    standing = folder_standing()
    config = read_config(options, standing).config
    root = Path.cwd().resolve()
    agents = load_all(paths.config_folder / "agents", root if standing.trusted else None).by_name
    agent = agents["build"]
    rules = (
        *parse_rules(config.permissions.rules),
        *(Rule(tool, pattern, cast("Verdict", verdict)) for tool, pattern, verdict in standing.grants),
        *parse_rules(agent.rules, "agent"),
    )
    mode = agent.permissions or config.permissions.mode
    private = (paths.config_folder, paths.data_folder, paths.state_folder)
    path = absolute_entries(os.environ.get("PATH", ""))
    places = Places(root, private, (paths.outputs(root),), path=path)
    # Only in this mode does it matter, and trying one takes a process.
    sandboxed = mode == "auto" and find_sandbox(places).present
    return Policy(places, rules, mode=mode, sandboxed=sandboxed, no_auto=workspace_objection(places))


def answer_lines(lines: Iterable[bytes], policy: Policy) -> None:
    """One answer a line, for a bad line too: whoever reads counts on it."""
    for line in lines:
        try:
            decision = _answer(line, policy)
        except (ValueError, RecursionError) as error:
            decision = Decision("deny", f"bad line: {error}")
        reply = {"verdict": decision.verdict, "reason": display(decision.reason)}
        print(json.dumps(reply), flush=True)


def _answer(line: bytes, policy: Policy) -> Decision:
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
    rules = (*policy.rules, *allowing, *denying)
    return replace(policy, rules=rules).decide(tool, _access(tool), subject)


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
