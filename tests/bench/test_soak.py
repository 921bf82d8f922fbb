from __future__ import annotations

import pytest

from bench.soak import grown


@pytest.mark.parametrize(
    ("cpu", "memory", "expected"),
    [
        ([0.25] * 120, [80.0] * 80 + [96.0] * 5 + [120.0] * 35, (1.5, 1.5, 1.5)),
        ([0.25] * 80 + [0.375] * 15 + [0.5] * 25, [80.0] * 120, (2.0, 1.5, 2.0)),
    ],
    ids=["memory", "CPU"],
)
def test_the_spread_of_a_sitting_is_that_of_what_grew_more(
    cpu: list[float], memory: list[float], expected: tuple[float, float, float]
) -> None:
    row = grown(cpu, memory)

    assert (row.value, *row.spread) == expected
