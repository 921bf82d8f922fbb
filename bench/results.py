"""The figures of one run as they are kept in `results.json`, from which page and charts are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from bench.peers import Peer
from bench.row import Row

FILE = Path(__file__).with_name("results.json")


@dataclass(frozen=True, slots=True)
class Results:
    """`python` is what `python -c pass` cost in the same run, in CPU seconds."""

    machine: str
    load: float
    python: float
    rows: Mapping[str, Row]
    peers: Mapping[str, Peer]

    def times_python(self, row: Row) -> float | None:
        """How many bare interpreters it costs, where it is CPU that was measured."""
        match row.unit:
            case "s CPU":
                return row.value / self.python
            case "ms CPU":
                return row.value / 1000 / self.python
            case _:
                return None

    def save(self, path: Path = FILE) -> None:
        path.write_bytes(TypeAdapter(Results).dump_json(self, indent=2) + b"\n")


def load(path: Path = FILE) -> Results:
    return TypeAdapter(Results).validate_json(path.read_bytes())
