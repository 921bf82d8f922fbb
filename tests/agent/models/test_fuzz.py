"""A small run of the stream fuzz, with a seed of its own each time."""

import random

from tests.reliability import streams


def test_fuzzed_streams_never_crash_the_reader():
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed {seed}")

    print(streams.run(scale=0.05, seed=seed))
