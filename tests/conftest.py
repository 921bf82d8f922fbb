"""What holds for every test: none is judged by the clock, and one that waits for ever ends the run."""

import faulthandler
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("wakeful", deadline=None, print_blob=True)
settings.load_profile("wakeful")

_LONGEST = 300.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
