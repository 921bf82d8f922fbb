"""`wakeful`: the agent on the whole screen."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agent.entry import Opening
from tui.configuration import user_paths
from tui.errors import UsageError
from tui.escapes import speaks_unicode

if TYPE_CHECKING:
    from tui.instant.early import Early
    from tui.parser import Options

HELP = "The agent on the whole screen: the conversation, and the plan as it moves."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to begin with")
    parser.add_argument("-c", dest="proceed", action="store_true", help="continue the newest session")
    parser.add_argument(
        "-r",
        dest="resume",
        metavar="ID",
        nargs="?",
        const="",
        help="resume a session; without ID from a list",
    )
    parser.add_argument("-m", dest="model", metavar="MODEL", help="the model to use")
    parser.add_argument("--agent", metavar="NAME", help="the agent to use")
    parser.add_argument("--theme", metavar="NAME", help="the theme to use")


def run(options: Options) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "there is no terminal here",
            "use `wakeful run PROMPT`, `wakeful repl` for lines, `wakeful todos` or `wakeful tour`",
        )
    if os.environ.get("TERM") in ("dumb", "unknown"):
        raise UsageError(
            f"a terminal of the kind {os.environ['TERM']} has no screen to draw on",
            "use `wakeful repl`, or set TERM to what it is",
        )
    settings = [*options.settings, *([f"ui.theme={options.theme}"] if options.theme else [])]
    opening = Opening(
        paths=user_paths(),
        environment=os.environ,
        root=Path.cwd(),
        assignments=tuple(settings),
        attended=True,
        proceed="newest" if options.proceed else "new",
        resume=options.resume or None,
        model_name=options.model,
        agent=options.agent,
    )
    # A session is wanted and none was named: the list of them opens over an empty one.
    words = options.prompt or (["/sessions"] if options.resume == "" else [])
    return present(opening, words, options.early, elsewhere=options.directory is not None)


def present(
    opening: Opening, words: list[str], early: Early | None = None, *, elsewhere: bool = False
) -> int:
    """`elsewhere` is where the shell that gets the terminal back is in another folder."""
    from tui import collecting
    from tui.instant.terminal import Terminal

    collecting.rest()
    terminal = early.terminal if early else Terminal()
    terminal.guard()
    # Textual costs 130 ms, which no other door should pay.
    from tui.app import WakefulApp
    from tui.appearance import first_ink

    ink = first_ink(opening.paths, opening.environment, opening.assignments)
    app = WakefulApp(opening, ink, " ".join(words), terminal=terminal, early=early)
    try:
        status = app.run() or 0
    finally:
        with suppress(OSError):
            terminal.retitle()
    if app.failure is not None:
        raise app.failure
    if app.farewell:
        line = app.farewell.worded(elsewhere=elsewhere, unicode=speaks_unicode(sys.stdout))
        # Whoever called tells of a terminal that is gone by the status.
        with suppress(OSError):
            sys.stdout.write(f"{line}\n")
    return status
