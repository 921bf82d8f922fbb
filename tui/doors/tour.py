"""`wakeful tour`: the whole product on the folder at hand, with no key and no network."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from agent.opening import Opening
from tui.configuration import user_paths
from tui.doors.run import work
from tui.escapes import speaks_unicode
from tui.parser import Options
from tui.plain import Live

HELP = "Watch the built-in offline model plan and survey this folder. It needs no key and changes nothing."
_PROMPT = "survey this project"


def arguments(parser: argparse.ArgumentParser) -> None:
    del parser


def run(options: Options) -> int:
    print("This is Wakeful with its built-in offline model: no key, no network, nothing is changed.")
    print(f"› {_PROMPT}\n")
    opening = Opening(
        paths=user_paths(),
        environment=os.environ,
        root=Path.cwd(),
        assignments=tuple(options.settings),
        attended=False,
        model_name="offline",
    )
    printer = Live(sys.stdout, unicode=speaks_unicode(sys.stdout))
    status = asyncio.run(work(opening, _PROMPT, printer))
    print(
        '\nNext: `wakeful run "PROMPT"`; `wakeful config set model.default PROVIDER/NAME` for a real model.'
    )
    return status
