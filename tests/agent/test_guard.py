import pytest

from agent.guard import RepeatGuard


@pytest.mark.parametrize(
    ("calls", "tripped"),
    [
        ("AA", False),
        ("AAA", True),
        ("ABA", False),
        ("ABAB", True),
        ("ABABC", False),
        ("AAB", False),
        ("ABBA", False),
        ("ABCABC", False),
        ("ABBB", True),
    ],
)
def test_only_circles_trip_the_guard(calls: str, tripped: bool):
    guard = RepeatGuard()

    results = [guard.trips("read", letter) for letter in calls]

    assert results[-1] is tripped


def test_after_a_reset_the_same_call_starts_from_one():
    guard = RepeatGuard()
    assert [guard.trips("read", "A") for _ in range(3)][-1]

    guard.reset()

    assert not guard.trips("read", "A")
