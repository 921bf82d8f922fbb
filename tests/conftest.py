"""Settings for every test: no test is judged by the clock, and one that never ends stops the run."""

import faulthandler
import os
import re
import shutil
import tempfile
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("wakeful", deadline=None, print_blob=True)
settings.load_profile("wakeful")

_LONGEST = 300.0
_MEMORY = Path("/dev/shm")
_ENOUGH_MEMORY = 2 << 30
# What a module imports or asks for, by the marker it gets.
_MARKS = {
    "pty": re.compile(r"tests\.terminal|inside_tmux|\bstart: Start\b"),
    "programs": re.compile(
        r"tests\.programs|[Ss]andbox|bwrap|landlock|ripgrep|strace|tmux|\bauto=True"
        r"|mode=\"?auto|permissions: auto"
    ),
    "slow": re.compile(
        r"tests\.tui\.(wakeful|test_run)\b|tests\.reliability|^WAKEFUL\b|litellm", re.MULTILINE
    ),
    "pilot": re.compile(r"run_test|tests\.tui\.app\.(pilots|questions|overlays|still|stories)|\bPilot\b"),
}


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Put temporary folders into memory: waiting for a disk took half of the time of all tests."""
    if config.option.basetemp is None and not hasattr(config, "workerinput") and _has_memory():
        config.option.basetemp = tempfile.mkdtemp(prefix="wakeful-tests-", dir=_MEMORY)
        config.add_cleanup(lambda: shutil.rmtree(config.option.basetemp, ignore_errors=True))


def pytest_xdist_auto_num_workers() -> int:
    """Most tests wait for a process or a timer, so a core can run two."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark, pattern in _MARKS.items():
            if pattern.search(_source(item.path)):
                item.add_marker(mark)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    faulthandler.dump_traceback_later(_LONGEST, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@cache
def _source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _has_memory() -> bool:
    try:
        return shutil.disk_usage(_MEMORY).free >= _ENOUGH_MEMORY and os.access(_MEMORY, os.W_OK)
    except OSError:
        return False
