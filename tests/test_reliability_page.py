"""`docs/reliability.md` is what the recorded runs say, and each finding names tests that exist."""

import re

import pytest

from tests.reliability import findings, page
from tests.reliability.catalog import promises
from tests.reliability.findings import FINDINGS, ROOT, Finding


def test_the_page_is_the_one_that_the_recorded_runs_give():
    assert page.PAGE.read_text(encoding="utf-8") == page.write(page.load(), promises([]))


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.id)
def test_a_finding_names_tests_that_exist(finding: Finding):
    assert finding.tests
    for test in finding.tests:
        module, _, name = test.partition("::")
        text = (ROOT / "tests" / module).read_text(encoding="utf-8")
        assert not name or re.search(rf"^(async )?def {name}\(", text, re.MULTILINE), test


def test_a_row_of_a_smaller_run_says_so():
    run = page.Run("1 row", held=True, scale=0.5, seed=1, date="2026-01-01", seconds=2, machine="one")

    written = page.write({"findings": run}, [findings])

    assert "| 1 row (seed 1) | 0.5 of full | 2026-01-01 | 2 s |" in written


def test_a_promise_that_failed_is_shown_as_one():
    run = page.Run("1 lost", held=False, scale=1, seed=1, date="2026-01-01", seconds=2, machine="one")

    assert "**does not hold:** 1 lost" in page.write({"findings": run}, [findings])
