from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from tests.reliability.shell_mutations import PAYLOADS, RULES, leaves_marker, make_workspace, run


def test_no_mutation_that_passes_does_harm() -> None:
    print(run(0.03, secrets.randbelow(2**32)))


@pytest.mark.parametrize("line", PAYLOADS)
def test_no_harmful_line_passes_by_itself(tmp_path: Path, line: str) -> None:
    policy = Policy(Places(tmp_path), RULES)

    assert line == "seedcmd" or policy.decide("shell", "shell", line).verdict != "allow"


@pytest.mark.parametrize("line", PAYLOADS[:4])
def test_the_oracle_sees_harm_when_it_is_done(tmp_path: Path, line: str) -> None:
    assert leaves_marker(make_workspace(tmp_path / "template"), line)
