"""`docs/reliability.md`, generated from recorded runs: `python -m tests.reliability.page` writes it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from pydantic import TypeAdapter

from tests.reliability import findings
from tests.reliability.catalog import command_of, promises

RESULTS = Path(__file__).with_name("results.json")
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
HEAD = """\
# Reliability

This page is generated from `tests/reliability/results.json`, which `make reliability ARGS=--record` writes.

`make reliability` runs every promise at full size and prints one line for each: the command, the seed and the
figure. `make reliability ARGS="kills crowd --seed 7"` runs some of them, `--scale 0.1` a tenth. Short runs
are part of `make test`; time limits are asserted only here. A row of a smaller run says so in its scale.

| promise | what is tried and must hold | measured | scale | date | took |
|---|---|---|---|---|---|
"""
FOUND = """\
## Findings

Each row is a way in, or a leak, that a security review found and that is closed.
`make reliability ARGS=findings` runs its tests again; they are part of `make test` as well.

| finding | attack | tests | result |
|---|---|---|---|"""


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded run of a promise; `scale` 1 is the full size, `date` is the day in UTC."""

    figure: str
    held: bool
    scale: float
    seed: int
    date: str
    seconds: float
    machine: str


Runs = Mapping[str, Run]


def load(path: Path = RESULTS) -> dict[str, Run]:
    return TypeAdapter(dict[str, Run]).validate_json(path.read_bytes()) if path.exists() else {}


def save(runs: Runs, path: Path = RESULTS) -> None:
    path.write_bytes(TypeAdapter(Runs).dump_json(dict(sorted(runs.items())), indent=1) + b"\n")


def write(runs: Runs, modules: Iterable[ModuleType]) -> str:
    return HEAD + "\n".join([*_rows(runs, modules), "", *_machines(runs), "", FOUND, *_findings(), ""])


def _rows(runs: Runs, modules: Iterable[ModuleType]) -> Iterator[str]:
    for module in modules:
        name, run = command_of(module), runs.get(command_of(module))
        about = (module.__doc__ or "").strip().partition("\n")[0]
        yield f"| `{name}` | {_cell(about)} | {_measured(run)} |"


def _measured(run: Run | None) -> str:
    if run is None:
        return "not recorded yet | | |"
    figure = run.figure if run.held else f"**does not hold:** {run.figure}"
    scale = "full" if run.scale >= 1 else f"{run.scale:g} of full"
    return f"{_cell(figure)} (seed {run.seed}) | {scale} | {run.date} | {run.seconds:.0f} s"


def _machines(runs: Runs) -> Iterator[str]:
    for machine in sorted({run.machine for run in runs.values()}):
        yield f"Measured on {machine}."


def _findings() -> Iterator[str]:
    outcomes = findings.load()
    for finding in findings.FINDINGS:
        tests = "<br>".join(f"`{test}`" for test in finding.tests)
        yield f"| {finding.id} | {_cell(finding.attack)} | {tests} | {_result(outcomes.get(finding.id))} |"


def _result(outcome: findings.Outcome | None) -> str:
    if outcome is None:
        return "not recorded yet"
    counts = {"passed": outcome.passed, "skipped": outcome.skipped, "**failed**": outcome.failed}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count or what == "passed")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    PAGE.write_text(write(load(), promises([])), encoding="utf-8")
