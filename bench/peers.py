"""Other agents of the terminal that are installed here, from their start to the echo of a key.

They run without any network: what they need for a prompt is a key that looks like one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.program import EndedError, Program, SilentError
from bench.starting import KEY

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "codex": ("codex",),
    "opencode": ("opencode",),
    "gemini": ("gemini",),
    "vibe": ("vibe",),
    "pi": ("pi",),
    "aider": ("aider", "--no-git", "--yes-always", "--model", "gpt-4o"),
}
# Without these a program asks who one is, or whether it may work here, before it takes a message.
SETTINGS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "codex": (
        ".codex/config.toml",
        (
            'model_provider = "here"',
            "[model_providers.here]",
            'name = "here"',
            'env_key = "OPENAI_API_KEY"',
            'base_url = "http://127.0.0.1:9/v1"',
            '[projects."{home}"]',
            'trust_level = "trusted"',
        ),
    ),
}
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY")
RUNS = 5
_LONGEST, _AGAIN = 20.0, 0.05
# Seconds after which its memory is read: most of them run processes whose CPU is not seen from outside.
_REST = 3.0


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
            yield name, peer(name, [*_alone(), place, *command[1:]])


def peer(name: str, command: list[str]) -> Peer:
    with TemporaryDirectory() as folder:
        home = Path(folder)
        if name in SETTINGS:
            file, lines = SETTINGS[name]
            (home / file).parent.mkdir(parents=True)
            (home / file).write_text("\n".join(lines).replace("{home}", folder))
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": folder,
            **dict.fromkeys(KEYS, "sk-measured-offline"),
        }
        try:
            starts = [_start(command, environment, home) for _ in range(RUNS + 1)][1:]
        except SilentError:
            return Peer(None, None, f"echoed no key in {_LONGEST:g} s")
        except EndedError as ended:
            return Peer(None, None, str(ended))
    return Peer(median(each for each, _ in starts), median(each for _, each in starts))


def _start(command: list[str], environment: Mapping[str, str], folder: Path) -> tuple[float, float]:
    with Program(command, environment, folder, early=KEY) as program:
        echoed = _echoed(program)
        program.rest(_REST)
        return (echoed - program.started) * 1000, program.family_memory


def _echoed(program: Program) -> float:
    """Some throw away what was typed before they read, so it is typed until it appears."""
    for _ in range(round(_LONGEST / _AGAIN)):
        with suppress(SilentError):
            return program.wait_for(KEY, seconds=_AGAIN)
        program.type(KEY)
    return program.wait_for(KEY, seconds=_AGAIN)


def _alone() -> list[str]:
    """In a network of its own with nobody in it."""
    unshare = shutil.which("unshare")
    if unshare is None:
        raise RuntimeError("--peers needs `unshare` (util-linux), so that nobody is called meanwhile")
    return [unshare, "--map-root-user", "--net"]
