"""`wakeful repl`: the agent at a plain prompt, for ssh, screen readers and terminals of every kind."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from agent.opening import Opening
from tui.configuration import user_paths
from tui.parser import Options

HELP = (
    "Talk to the agent at a prompt that stays at the bottom of an ordinary terminal.\n\n"
    "Lines from a pipe are run one after the other; nothing that needs your consent is then done.\n"
    "A session that another window runs is followed, read-only, until that one ends."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt", nargs="*", metavar="PROMPT", help="what to say first")
    parser.add_argument("-m", "--model", metavar="MODEL", help="PROVIDER/NAME, or offline")
    parser.add_argument("--agent", metavar="NAME", help="which agent (default: build)")
    parser.add_argument(
        "-c", "--continue", dest="proceed", action="store_true", help="continue the newest session"
    )
    parser.add_argument("-r", "--resume", metavar="ID", help="continue this session")
    parser.add_argument(
        "--linear", action="store_true", help="for screen readers: redraw nothing, say states"
    )


def run(options: Options) -> int:
    # rich costs 30 ms.
    from tui.repl.sitting import sit

    words: list[str] = options.prompt
    opening = Opening(
        paths=user_paths(),
        environment=os.environ,
        root=Path.cwd(),
        assignments=tuple(options.settings),
        attended=sys.stdin.isatty(),
        proceed="newest" if options.proceed else "new",
        resume=options.resume,
        model_name=options.model,
        agent=options.agent,
    )
    dumb = os.environ.get("TERM", "dumb") in ("", "dumb", "unknown") or not sys.stdout.isatty()
    return asyncio.run(sit(opening, " ".join(words), linear=options.linear or dumb))
