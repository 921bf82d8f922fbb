"""Times as people read them."""

import pytest

from store.clock import short


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-5, "0 s"), (42, "42 s"), (60, "1 min"), (3_599, "59 min"), (7_500, "2 h 5 min"), (90_000, "1 d 1 h")],
)
def test_times_are_short(seconds: int, words: str):
    assert short(seconds * 1000) == words
