"""Runs a module of this folder on a terminal of its own, so that painting is counted as it really is."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

ROWS, COLUMNS = 40, 120


@cache
def on_a_terminal(module: str) -> Mapping[str, list[float]]:
    """The figures that the module writes to the file it is given; what it paints is read and thrown away.

    Rows that look at the same figures share one run.
    """
    with TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.json"
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        command = [sys.executable, "-m", module, str(figures)]
        with subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        ) as child:
            os.close(theirs)
            _drain(ours)
        os.close(ours)
        if child.returncode or not figures.exists():
            raise RuntimeError(f"{module} exited with {child.returncode}")
        return cast("Mapping[str, list[float]]", json.loads(figures.read_text()))


def _drain(terminal: int) -> None:
    while True:
        select.select([terminal], [], [])
        try:
            if not os.read(terminal, 65_536):
                return
        except OSError:
            # Linux reports the end of a terminal as an error.
            return
