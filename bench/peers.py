"""Other agents of the terminal that are installed here, from their start to the echo of a key.

They run without any network: what they need for a prompt is a key that looks like one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.program import Program, SilentError
from bench.starting import KEY

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "codex": ("codex",),
    "opencode": ("opencode",),
    "gemini": ("gemini",),
    "vibe": ("vibe",),
    "pi": ("pi",),
    "aider": ("aider", "--no-git", "--yes-always", "--model", "gpt-4o"),
}
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY")
RUNS = 5
_LONGEST = 20.0


@dataclass(frozen=True, slots=True)
class Peer:
    """Medians; nothing where it asks something before it takes a message."""

    milliseconds: float | None
    mebibytes: float | None
    note: str = ""


def measured() -> Iterator[tuple[str, Peer]]:
    """Those that are there, one after the other."""
    for name, command in COMMANDS.items():
        if place := shutil.which(command[0]):
            yield name, _peer([*_alone(), place, *command[1:]])


def _peer(command: list[str]) -> Peer:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": folder,
            **dict.fromkeys(KEYS, "sk-measured-offline"),
        }
        try:
            starts = [_start(command, environment, home) for _ in range(RUNS + 1)][1:]
        except SilentError:
            return Peer(None, None, f"echoed no key in {_LONGEST:g} s")
    return Peer(median(each for each, _ in starts), median(each for _, each in starts))


def _start(command: list[str], environment: Mapping[str, str], folder: Path) -> tuple[float, float]:
    with Program(command, environment, folder, early=KEY) as program:
        try:
            echoed = program.wait_for(KEY, seconds=_LONGEST / 4)
        except SilentError:
            # It throws away what was typed before it read; once more, with all of the time counted.
            program.type(KEY)
            echoed = program.wait_for(KEY, seconds=_LONGEST)
        program.settle(quiet=1.0, seconds=5.0)
        return (echoed - program.started) * 1000, program.family_memory


def _alone() -> list[str]:
    """In a network of its own with nobody in it."""
    unshare = shutil.which("unshare")
    if unshare is None:
        raise RuntimeError("--peers needs `unshare` (util-linux), so that nobody is called meanwhile")
    return [unshare, "--map-root-user", "--net"]
