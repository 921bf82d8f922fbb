from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.reliability.shell_mutations import PAYLOADS, leaves_marker, make_workspace, run


def test_no_mutation_that_passes_does_harm() -> None:
    print(run(0.03, secrets.randbelow(2**32)))


@pytest.mark.parametrize("line", PAYLOADS[:4])
def test_the_oracle_sees_harm_when_it_is_done(tmp_path: Path, line: str) -> None:
    assert leaves_marker(make_workspace(tmp_path / "template"), line)
