from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from bench.family import family
from bench.program import Program, SilentError

READER = """
import os
print('ready', flush=True)
print('got', os.read(0, 10).decode().strip(), flush=True)
os.read(0, 1)
"""


def test_a_key_typed_before_the_program_reads_is_not_echoed_by_the_terminal(tmp_path: Path) -> None:
    with Program([sys.executable, "-c", READER], os.environ, tmp_path, early="ж\n") as program:
        program.wait_for("got ж\r\n")

        assert program.written == len("ready\r\ngot ж\r\n".encode())


def test_what_never_comes_is_named_with_what_came(tmp_path: Path) -> None:
    with Program([sys.executable, "-c", READER], os.environ, tmp_path) as program:
        program.wait_for("ready")

        with pytest.raises(SilentError, match=r"'never' never came; .*ready"):
            program.wait_for("never", seconds=0.1)


def test_a_program_at_rest_may_go_on_blinking(tmp_path: Path) -> None:
    blinking = "import time\nsum(range(30_000_000))\nwhile True: print('.', flush=True); time.sleep(0.1)"
    with Program([sys.executable, "-c", blinking], os.environ, tmp_path) as program:
        program.settle(seconds=3_600.0)

        assert program.written > 0


def test_memory_and_cpu_are_those_of_the_program(tmp_path: Path) -> None:
    busy = "sum(range(30_000_000)); print('ready', flush=True); import os; os.read(0, 1)"
    with Program([sys.executable, "-c", busy], os.environ, tmp_path) as program:
        program.wait_for("ready")

        assert program.cpu > 0.05
        assert program.memory > 1


def test_what_a_program_started_in_a_session_of_its_own_ends_with_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "alive")
    child = (
        "import os, time; os.setsid(); held = open('alive', 'w')\n"
        "print('begun', flush=True); time.sleep(3600)"
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    with Program([sys.executable, "-c", parent], os.environ, tmp_path) as program:
        program.wait_for("begun")

    # It can be read to its end as soon as nobody holds it any more.
    assert select.select([alive], [], [], 60.0)[0]
    os.close(alive)


def test_a_neighbour_in_a_session_of_its_own_is_no_family(tmp_path: Path) -> None:
    with (
        Program([sys.executable, "-c", READER], os.environ, tmp_path) as one,
        Program([sys.executable, "-c", READER], os.environ, tmp_path) as other,
    ):
        assert [each.number for each in family(one.process)] == [one.process]
        assert [each.number for each in family(other.process)] == [other.process]
