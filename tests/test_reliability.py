"""A short run of every promise of `make reliability` that does not depend on time."""

import random
from types import ModuleType

import pytest

from tests.reliability import (
    cancels,
    claims,
    contexts,
    conversations,
    crowd,
    damages,
    disk,
    escapes,
    exits,
    kills,
    migrations,
    points,
    questions,
    restarts,
    rewinds,
    salvages,
    startled,
    starts,
    stress,
)

SEED = 20261116


@pytest.mark.parametrize(
    "promise",
    [
        kills,
        crowd,
        cancels,
        disk,
        migrations,
        salvages,
        claims,
        escapes,
        restarts,
        conversations,
        rewinds,
        points,
        contexts,
        damages,
        starts,
        startled,
        questions,
    ],
    ids=lambda promise: promise.__name__,
)
def test_the_promise_holds_in_a_short_run(promise: ModuleType):
    print(f"seed {SEED}")

    assert promise.run(0.02, SEED)


def test_every_way_out_ends_the_process_and_its_threads():
    print(f"seed {SEED}")

    assert exits.slowest_end(exits.ONCE, random.Random(SEED)) >= 0


def test_the_app_lives_through_resizes_pastes_and_floods_and_echoes_keys():
    print(f"seed {SEED}")

    assert all(stress.survived(0.02, random.Random(SEED)).values())
