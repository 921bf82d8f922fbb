"""The promises that take minutes: `python -m tests.reliability [NAME…] [--scale X] [--seed N] [--record]`.

Every module of this folder with a `NAME` and a `run(scale, seed)` is one promise. `run` returns the figure it
measured, or raises AssertionError. `--record` writes the figures into `docs/reliability.md`.
"""

import argparse
import datetime as dt
import os
import platform
import random
import sqlite3
import sys
import time
import traceback
from types import ModuleType

from tests.reliability import page
from tests.reliability.catalog import command_of, promises


def main() -> int:
    parser = argparse.ArgumentParser(prog="reliability")
    parser.add_argument("names", nargs="*", help="only these promises")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is what the project promises")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--record", action="store_true", help="write the figures into docs/reliability.md")
    options = parser.parse_args()
    failures = 0
    for promise in promises(options.names):
        found = run(promise, options.scale, options.seed)
        failures += not found.held
        print(_line(promise, found), flush=True)
        if options.record:
            page.save({**page.load(), command_of(promise): found})
            page.PAGE.write_text(page.write(page.load(), promises([])), encoding="utf-8")
    return 1 if failures else 0


def run(promise: ModuleType, scale: float, seed: int) -> page.Run:
    started = time.monotonic()
    held = False
    try:
        figure = promise.run(scale, seed)
        held = True
    except AssertionError as error:
        figure = str(error).partition("\n")[0] or "an assertion without words"
        print(error, file=sys.stderr)
    except Exception as error:  # noqa: BLE001 - the other promises still have to run
        traceback.print_exc()
        figure = repr(error)
    seconds = time.monotonic() - started
    today = dt.datetime.now(dt.UTC).date().isoformat()
    return page.Run(figure, held, scale, seed, today, seconds, _machine())


def _line(promise: ModuleType, found: page.Run) -> str:
    mark = "ok  " if found.held else "FAIL"
    name = command_of(promise)
    return f"{mark} {promise.NAME} · {name} · seed {found.seed} · {found.figure} · {found.seconds:.0f} s"


def _machine() -> str:
    parts = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}"
    return f"{parts}, {os.cpu_count()} cores"


if __name__ == "__main__":
    sys.exit(main())
