"""Runs the real command in a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "import sys; from tui.cli import main; sys.exit(main())"]


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("WAKEFUL_", "XDG_", "PYTHON"))
    }
    return kept | {"WAKEFUL_HOME": str(home), "NO_COLOR": "1"} | more


def wakeful(
    home: Path, *arguments: str, cwd: Path | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **more),
        cwd=cwd or home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
