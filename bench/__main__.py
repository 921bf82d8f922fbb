"""`python -m bench`: measures every row, prints them against their budgets; exit 1 when one is over.

A whole run is kept in `results.json`, and the page and its charts are drawn anew.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from statistics import median
from typing import Protocol, cast

from bench import page, peers
from bench.processes import cpu_seconds
from bench.results import Results
from bench.row import Row

FOLDER = Path(__file__).parent


class Measurement(Protocol):
    """A module in this folder with these two names is a row; `WHY` is told of it where it is missed."""

    NAME: str

    def measure(self) -> Row: ...


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("only", nargs="*", help="rows to measure, by the name of their module")
    parser.add_argument("--peers", action="store_true", help="also measure other agents installed here")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    python = median(cpu_seconds([sys.executable, "-c", "pass"]) for _ in range(20))
    print(f"load {load:.1f}; bare Python {python * 1000:.1f} ms CPU", flush=True)
    rows = dict(_measured(options.only))
    found = dict(_peers()) if options.peers else {}
    if not options.only:
        machine = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
        kept = Results(machine, load, python, rows, found)
        kept.save()
        page.draw(kept)
    return 0 if all(row.kept for row in rows.values()) else 1


def _measured(only: list[str]) -> Iterator[tuple[str, Row]]:
    for measurement in _measurements(only):
        row = measurement.measure()
        if not row.kept:
            row = replace(row, why=getattr(measurement, "WHY", ""))
        print(_line(measurement.NAME, row), flush=True)
        yield measurement.NAME, row


def _measurements(only: list[str]) -> Iterator[Measurement]:
    for found in iter_modules([str(FOLDER)]):
        if only and found.name not in only:
            continue
        if found.name != "__main__":
            module = import_module(f"bench.{found.name}")
            if hasattr(module, "measure"):
                yield cast("Measurement", module)


def _peers() -> Iterator[tuple[str, peers.Peer]]:
    for name, peer in peers.measured():
        figures = f"{peer.milliseconds:.0f} ms" if peer.milliseconds else peer.note
        print(f"peer  {name:<24}  start to echoed key {figures}", flush=True)
        yield name, peer


def _line(name: str, row: Row) -> str:
    low, high = row.spread
    verdict = "ok  " if row.kept else "OVER"
    figure = f"{row.value:.2f} {row.unit} (half of the runs {low:.2f} to {high:.2f})"
    return f"{verdict}  {name:<34}  {figure}, budget {row.budget:g}; {row.detail}"


if __name__ == "__main__":
    raise SystemExit(main())
