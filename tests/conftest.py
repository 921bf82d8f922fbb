"""Ends a run in which a test waits for what never comes, instead of holding up everybody behind it."""

import faulthandler
from collections.abc import Generator

import pytest

_LONGEST = 300.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
