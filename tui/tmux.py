"""What tmux makes of colours: it claims to have all of them, and rounds them for the terminal around it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache

from agent.executables import find_program

# It answers within milliseconds; the first frame waits for it.
_PATIENCE = 0.3
_QUESTION = ("display-message", "-p", "#{client_termfeatures}")


def passes_colours(environment: Mapping[str, str]) -> bool:
    """Whether they arrive as they are sent, as far as it says: old ones tell nothing."""
    if not environment.get("TMUX"):
        return True
    features = _features(environment["TMUX"], environment.get("PATH", ""))
    return not features or "RGB" in features


@cache
def _features(session: str, path: str) -> tuple[str, ...]:
    program = find_program("tmux", path=path)
    if program is None:
        return ()
    command = [program, *_QUESTION]
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, env={"TMUX": session}, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(filter(None, told.stdout.strip().split(",")))
