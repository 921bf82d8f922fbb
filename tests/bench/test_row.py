from __future__ import annotations

import sys

import pytest

from bench.processes import cpu_seconds, interleaved
from bench.row import Row, ratio


def test_a_ratio_is_of_the_medians_and_its_spread_is_of_the_pairs() -> None:
    row = ratio([2.0, 3.0, 4.0, 5.0, 90.0], [1.0, 2.0, 2.0, 2.0, 30.0], budget=2.0)

    assert (row.value, row.spread, row.kept) == (2.0, (2.0, 2.5), True)


def test_over_budget_is_not_kept() -> None:
    assert not ratio([3.0], [1.0], budget=2.9).kept


def test_a_figure_within_budget_is_not_kept_when_its_condition_fails() -> None:
    assert not Row(9.7, "kB", 12.0, (9.7, 9.7), "0% of each request", holds=False).kept


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match="exited with 7"):
        cpu_seconds([sys.executable, "-c", "raise SystemExit(7)"])


def test_both_commands_run_in_pairs() -> None:
    measured, floor = interleaved(["true"], ["true"], pairs=3)

    assert (len(measured), len(floor)) == (3, 3)
    assert min(measured + floor) >= 0
