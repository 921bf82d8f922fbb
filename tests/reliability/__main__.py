"""Runs the promises that take minutes: `python -m tests.reliability [NAME…] [--scale X] [--seed N]`.

Every module of this folder with a `NAME` and a `run(scale, seed)` is one promise. `run` returns the figure it
measured, or raises AssertionError.
"""

import argparse
import importlib
import pkgutil
import random
import sys
import time
import traceback
from types import ModuleType

import tests.reliability


def main() -> int:
    parser = argparse.ArgumentParser(prog="reliability")
    parser.add_argument("names", nargs="*", help="only these promises")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is what the project promises")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = parser.parse_args()
    failures = sum(not kept(promise, options.scale, options.seed) for promise in promises(options.names))
    return 1 if failures else 0


def promises(names: list[str]) -> list[ModuleType]:
    found = [
        importlib.import_module(f"tests.reliability.{info.name}")
        for info in pkgutil.iter_modules(tests.reliability.__path__)
        if not info.name.startswith("_")
    ]
    named = [module for module in found if hasattr(module, "NAME")]
    return [module for module in named if not names or module.__name__.rsplit(".", 1)[1] in names]


def kept(promise: ModuleType, scale: float, seed: int) -> bool:
    command = promise.__name__.rsplit(".", 1)[1]
    started = time.monotonic()
    try:
        figure = promise.run(scale, seed)
    except AssertionError as error:
        figure, good = str(error) or "an assertion without words", False
    except Exception as error:  # noqa: BLE001 - the other promises are still to be looked at
        traceback.print_exc()
        figure, good = repr(error), False
    else:
        good = True
    spent = time.monotonic() - started
    print(
        f"{'ok  ' if good else 'FAIL'} {promise.NAME} · {command} · seed {seed} · {figure} · {spent:.0f} s",
        flush=True,
    )
    return good


if __name__ == "__main__":
    sys.exit(main())
