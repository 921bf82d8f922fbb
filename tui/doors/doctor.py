"""`wakeful doctor`: one look at everything Wakeful stands on."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import asdict

from agent.paths import Paths
from tui.checks import (
    Check,
    check_colours,
    check_config,
    check_database,
    check_encoding,
    check_privacy,
    check_program,
    check_python,
    check_sandbox,
    check_servers,
    check_sqlite,
    check_terminal,
)
from tui.parser import Options
from tui.version import VERSION

HELP = "Check this machine. Exit status 1 when something is broken; notes alone are fine."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the checks as one JSON object")


def run(options: Options) -> int:
    checks = examine(os.environ, options.settings)
    healthy = all(check.status != "broken" for check in checks)
    if options.json:
        import json

        report = {"version": VERSION, "ok": healthy, "checks": [asdict(check) for check in checks]}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print(render(checks))
    return 0 if healthy else 1


def examine(environment: Mapping[str, str], assignments: list[str]) -> list[Check]:
    paths = Paths.from_environment(environment)
    return [
        check_python(),
        check_sqlite(),
        check_terminal(environment),
        check_colours(environment),
        check_encoding(),
        *check_config(paths, environment, assignments),
        check_database(paths.database),
        *check_privacy(paths),
        *check_sandbox(paths, environment),
        *check_servers(environment),
        check_program("git", "for diffs and branches"),
        check_program("rg", "for faster search"),
    ]


def render(checks: list[Check]) -> str:
    width = max(len(check.name) for check in checks)
    lines = [f"wakeful {VERSION}"]
    for check in checks:
        lines.append(f"{check.status:<6}  {check.name:<{width}}  {check.value}")
        if check.hint:
            lines.append(f"{'':<6}  {'':<{width}}  -> {check.hint}")
    return "\n".join(lines)
