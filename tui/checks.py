"""What `wakeful doctor` looks at: each check is a function that says how one thing stands."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from agent.executables import find_program
from agent.paths import Paths
from store.frozen import frozen
from tui.configuration import agreed_values, folder_standing
from tui.escapes import speaks_unicode
from tui.tmux import passes_colours

OLDEST_PYTHON = (3, 11)
# A program that does not even print its version by then is of no use to the agent either.
PATIENCE = 10.0


@frozen
class Check:
    """`note` is worth knowing; only `broken` makes the whole examination fail."""

    name: str
    status: Literal["ok", "note", "broken"]
    value: str
    hint: str = ""


def check_python() -> Check:
    value = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info < OLDEST_PYTHON:
        return Check("python", "broken", value, "Wakeful needs Python 3.11 or newer")
    return Check("python", "ok", value)


def check_sqlite() -> Check:
    import sqlite3

    from store.database import journal_mode

    mode = journal_mode(sqlite3.sqlite_version_info)
    why = "" if mode == "wal" else " (this version can lose commits in WAL mode)"
    return Check("sqlite", "ok", f"{sqlite3.sqlite_version}, journal mode {mode}{why}")


def check_database(path: Path) -> Check:
    from store.inspect import inspect

    found = inspect(path)
    if found.problem:
        return Check(
            "database", "broken", f"{path}: {found.problem}", _database_hint(found.schema, found.latest)
        )
    if not found.exists:
        return Check("database", "ok", f"{path} (not there yet)")
    state = (
        f"schema {found.schema} of {found.latest}, {found.size / 1000:.0f} kB, journal mode {found.journal}"
    )
    return Check("database", "ok", f"{path}, {state}")


def _database_hint(schema: int | None, latest: int) -> str:
    if schema is not None and schema > latest:
        return "a newer Wakeful wrote it: install that one, or set WAKEFUL_HOME to another folder"
    return "set WAKEFUL_HOME to a folder that can be written, or start Wakeful to have the file mended"


def check_terminal(environment: Mapping[str, str]) -> Check:
    name = environment.get("TERM") or "unset"
    if not sys.stdout.isatty():
        return Check("terminal", "note", f"{name}, output is not a terminal")
    columns, lines = os.get_terminal_size(sys.stdout.fileno())
    if name in {"dumb", "unset"}:
        return Check("terminal", "note", f"{name}, {columns}x{lines}", "set TERM for the full screen")
    return Check("terminal", "ok", f"{name}, {columns}x{lines}")


def check_colours(environment: Mapping[str, str]) -> Check:
    if environment.get("NO_COLOR"):
        return Check("colours", "ok", "none (NO_COLOR is set)")
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        if passes_colours(environment):
            return Check("colours", "ok", "16 million")
        return Check("colours", "ok", "256 (tmux rounds them; terminal-features with RGB lets all through)")
    name = environment.get("TERM", "")
    if "256color" in name:
        return Check("colours", "ok", "256")
    if name in {"", "dumb"}:
        return Check("colours", "note", "none")
    return Check("colours", "ok", "16")


def check_encoding() -> Check:
    if not speaks_unicode(sys.stdout):
        fix = "set LANG to a UTF-8 locale, or ui.glyphs to unicode"
        return Check("encoding", "note", "not UTF-8, so signs are spelled in ASCII", fix)
    return Check("encoding", "ok", "UTF-8")


def check_config(paths: Paths, environment: Mapping[str, str], assignments: list[str]) -> list[Check]:
    """One row when all is well, else one for each problem."""
    from agent.config.errors import ConfigError
    from agent.config.load import load
    from tui.theme import theme_problem, user_folder

    try:
        standing = folder_standing()
        loaded = load(
            paths,
            environment,
            project=Path.cwd().resolve(),
            trusted=standing.trusted,
            agreed=agreed_values(standing),
            assignments=assignments,
        )
    except ConfigError as error:
        return [
            Check("config", "broken", f"{problem.place}: {what}", hint)
            for problem in error.problems
            for what, _, hint in [problem.text.partition("; ")]
        ]
    state = "" if paths.config.exists() else " (not there: all defaults)"
    notices = [Check("config", "note", notice) for notice in loaded.notices]
    if theme := theme_problem(loaded.config.ui.theme, user_folder(paths)):
        notices.append(Check("theme", "note", *theme.split("; ", 1)))
    return [Check("config", "ok", f"{paths.config}{state}"), *notices]


def check_privacy(paths: Paths) -> list[Check]:
    """Own files that others may read: keys, sessions, the log."""
    from agent.privacy import exposed

    return [
        Check(
            "privacy",
            "note",
            f"{found} can be read by others",
            f"chmod {'700' if found.is_dir() else '600'} {found}; the next session does so too",
        )
        for found in exposed(paths)
    ]


def check_servers(environment: Mapping[str, str]) -> list[Check]:
    """Model servers on this machine: offered, never chosen."""
    import asyncio

    from agent.models.local import find_servers, usual

    return [
        Check(
            offer.provider,
            "note",
            f"{offer.label} answers at {offer.base_url} with {', '.join(offer.models[:5])}",
            f"to use it: wakeful config set model.default {offer.provider}/{offer.models[0]}",
        )
        for offer in asyncio.run(find_servers(usual(environment)))
    ]


def check_sandbox(paths: Paths, environment: Mapping[str, str]) -> list[Check]:
    """Which layer is in force in this folder, and a row for each thing that it confines."""
    from agent.permissions.paths import Places
    from agent.permissions.protected_places import workspace_objection
    from agent.permissions.sandbox import find_sandbox

    private = dict.fromkeys((paths.config_folder, paths.data_folder, paths.state_folder))
    places = Places(Path.cwd(), private=tuple(private))
    found = find_sandbox(places, environment.get("PATH"))
    weak = found.layer != "bubblewrap"
    hint = "install bubblewrap to confine commands better" if weak else ""
    checks = [
        Check(
            "sandbox",
            "note" if weak else "ok",
            found.statement.removeprefix("sandbox: ").removesuffix("; see `wakeful doctor`"),
            hint,
        )
    ]
    checks += [Check(f"- {thing}", checks[0].status, what) for thing, what in found.coverage]
    objection = workspace_objection(places)
    return [*checks, Check("- auto mode", "note", objection)] if objection else checks


def check_program(name: str, use: str) -> Check:
    program = find_program(name)
    if program is None:
        return Check(name, "note", "not found", f"install it {use}")
    problem = _complaint([program, "--version"])
    if problem:
        return Check(name, "note", f"{program} fails ({problem})", f"repair it {use}")
    return Check(name, "ok", program)


def _complaint(command: list[str]) -> str:
    """Empty when the command ends well, else the last thing it said."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {PATIENCE:.0f} s"
    except OSError as error:
        return error.strerror or str(error)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"exit {done.returncode}"
