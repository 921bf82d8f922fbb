"""When garbage is looked for: not before the first frame, and seldom once a session is open."""

import gc
from collections.abc import Generator

import pytest

from tui import collecting


@pytest.fixture(autouse=True)
def pace() -> Generator[tuple[int, int, int]]:
    before = gc.get_threshold()
    yield before
    gc.enable()
    gc.unfreeze()
    gc.set_threshold(*before)


def test_it_goes_on_at_its_usual_pace_behind_the_first_frame(pace: tuple[int, int, int]):
    collecting.rest()
    assert not gc.isenabled()

    collecting.go_on()

    assert gc.isenabled()
    assert gc.get_threshold() == pace


def test_it_passes_over_what_is_there_when_a_session_is_open(pace: tuple[int, int, int]):
    collecting.rest()
    kept = [[number] for number in range(10_000)]
    frozen = gc.get_freeze_count()

    collecting.settle()

    assert gc.isenabled()
    assert gc.get_threshold() > pace
    assert gc.get_freeze_count() >= frozen + len(kept)


def test_a_process_that_never_rested_is_left_alone(pace: tuple[int, int, int]):
    collecting.go_on()
    collecting.settle()

    assert gc.isenabled()
    assert gc.get_threshold() == pace
    assert not gc.get_freeze_count()
