"""Each way in that was found once stays closed: its tests are run again, and none may fail."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from pydantic import TypeAdapter

NAME = "findings of the security reviews"
RESULTS = Path(__file__).with_name("findings.json")
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Finding:
    """`tests` are modules, or functions as `module::name`, below `tests/`."""

    id: str
    attack: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    passed: int = 0
    skipped: int = 0
    failed: int = 0


FINDINGS: tuple[Finding, ...] = ()


def run(scale: float, seed: int) -> str:
    """Always whole: a test that is left out would show nothing."""
    del scale, seed
    counts = _counts(sorted({test for finding in FINDINGS for test in finding.tests}))
    outcomes = {finding.id: _outcome(finding, counts) for finding in FINDINGS}
    RESULTS.write_bytes(TypeAdapter(dict[str, Outcome]).dump_json(outcomes, indent=1) + b"\n")
    open_ones = [name for name, outcome in outcomes.items() if outcome.failed or not outcome.passed]
    assert not open_ones, f"open: {', '.join(open_ones)}"
    passed = sum(counts[status] for status in counts if status[1] == "passed")
    return f"{len(FINDINGS)} findings, {passed} tests passed, 0 failed"


def load(path: Path = RESULTS) -> dict[str, Outcome]:
    return TypeAdapter(dict[str, Outcome]).validate_json(path.read_bytes()) if path.exists() else {}


def _counts(tests: list[str]) -> Counter[tuple[str, str]]:
    """How often each test of each module passed, was skipped or failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "auto",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
        ]
        done = subprocess.run(
            [*command, *(f"tests/{test}" for test in tests)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert report.exists(), done.stdout[-2000:]
        assert done.returncode in (0, 1), done.stdout[-2000:]
        cases = ET.parse(report).iter("testcase")
        return Counter((_name_of(case), _status_of(case)) for case in cases)


def _name_of(case: ET.Element) -> str:
    module = case.get("classname", "").removeprefix("tests.").replace(".", "/")
    return f"{module}.py::{case.get('name', '').partition('[')[0]}"


def _status_of(case: ET.Element) -> str:
    if case.find("skipped") is not None:
        return "skipped"
    return "failed" if case.find("failure") is not None or case.find("error") is not None else "passed"


def _outcome(finding: Finding, counts: Counter[tuple[str, str]]) -> Outcome:
    found: Counter[str] = Counter()
    for (name, status), count in counts.items():
        if any(name == test or name.startswith(f"{test}::") for test in finding.tests):
            found[status] += count
    return Outcome(found["passed"], found["skipped"], found["failed"])
