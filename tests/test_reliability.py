"""A short run of every promise of `make reliability` that does not depend on time."""

from collections.abc import Callable

import pytest

from tests.reliability import cancels, crowd, kills

SEED = 20261116


@pytest.mark.parametrize("run", [kills.run, crowd.run, cancels.run], ids=["kills", "crowd", "cancels"])
def test_the_promise_holds_in_a_short_run(run: Callable[[float, int], str]):
    print(f"seed {SEED}")

    assert run(0.02, SEED)
