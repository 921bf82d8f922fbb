"""`python -m bench`: measures every row, prints them against their budgets; exit 1 when one is over."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

from bench.row import Row

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"


class Measurement(Protocol):
    """A module in this folder with these two names is a row."""

    NAME: str

    def measure(self) -> Row: ...


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("only", nargs="*", help="rows to measure, by the name of their module")
    parser.add_argument("--write", action="store_true", help="keep the figures in bench/results.json")
    options = parser.parse_args()
    rows: dict[str, Row] = {}
    for measurement in _measurements(options.only):
        rows[measurement.NAME] = measurement.measure()
        print(_line(measurement.NAME, rows[measurement.NAME]), flush=True)
    if options.write:
        _write(rows)
    return 0 if all(row.kept for row in rows.values()) else 1


def _measurements(only: list[str]) -> Iterator[Measurement]:
    for found in iter_modules([str(FOLDER)]):
        if only and found.name not in only:
            continue
        if found.name != "__main__":
            module = import_module(f"bench.{found.name}")
            if hasattr(module, "measure"):
                yield cast("Measurement", module)


def _line(name: str, row: Row) -> str:
    low, high = row.spread
    verdict = "ok  " if row.kept else "OVER"
    figure = f"{row.value:.2f} {row.unit} (half of the runs {low:.2f} to {high:.2f})"
    return f"{verdict}  {name:<24}  {figure}, budget {row.budget:g}; {row.detail}"


def _write(rows: dict[str, Row]) -> None:
    known = cast("dict[str, object]", json.loads(RESULTS.read_text())) if RESULTS.exists() else {}
    known |= {name: asdict(row) for name, row in rows.items()}
    known["machine"] = f"Python {platform.python_version()}, {platform.machine()}"
    RESULTS.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
