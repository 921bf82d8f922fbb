"""Confines commands by the best layer that works here, and says plainly what is not confined."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from agent.executables import find_program
from agent.permissions import bubblewrap, landlock_rules
from agent.permissions.environment import for_writing
from agent.permissions.git_writing import (
    READ_ONLY_NOTE,
    may_write_repository,
    refused_by_sandbox,
    writes_settings,
)
from agent.permissions.paths import Places, real
from agent.permissions.protected_places import Frozen, frozen_places
from agent.permissions.stand_ins import stand_ins
from store.frozen import frozen

Layer = Literal["bubblewrap", "landlock", "none"]
_PROBE_SECONDS = 10


@frozen
class Sandbox:
    """The layer in force. `present` is False if files or the network stay unconfined.

    `statement` tells the user in one line; `coverage` names for each thing what confines it.
    """

    layer: Layer
    program: str | None
    statement: str
    present: bool = False
    coverage: tuple[tuple[str, str], ...] = ()
    abi: int = 0


def find_sandbox(places: Places, path: str | None = None) -> Sandbox:
    """Try each layer once with the very arguments that commands get: many machines have one and forbid it."""
    program = find_program("bwrap", root=places.root, path=path)
    problem = "bubblewrap (bwrap) is not installed"
    if program is not None:
        problem = _complaint(_probe(program, places), program)
        if not problem:
            return Sandbox("bubblewrap", program, f"sandbox: {program}", True, _BUBBLEWRAP)
    return _landlock(places, problem)


_BUBBLEWRAP = (
    (
        "files",
        "bubblewrap: only the workspace can be written, not .git; keys, browser profiles and /run are hidden",
    ),
    ("network", "bubblewrap: none, unless permissions.network is set; no Unix sockets of the system"),
    ("processes", "bubblewrap: commands see and signal only their own"),
)


def _landlock(places: Places, problem: str) -> Sandbox:
    support = landlock_rules.support()
    if support.complaint:
        why = f"{problem}; {support.complaint}"
        return Sandbox("none", None, f"NO SANDBOX: {why}. Commands run unconfined; install bubblewrap")
    with tempfile.TemporaryDirectory(prefix="wakeful-") as scratch:
        frozen = frozen_places(places)
        words = landlock_rules.arguments(places, frozen, Path(scratch), network=False, approved=False)
        said = _complaint([*words, "/bin/sh", "-c", ":"], "landlock")
    if said:
        return Sandbox(
            "none", None, f"NO SANDBOX: {problem}; {said}. Commands run unconfined; install bubblewrap"
        )
    statement = f"sandbox: Landlock, weaker than bubblewrap ({problem}); see `wakeful doctor`"
    return Sandbox("landlock", None, statement, support.complete, support.coverage, support.abi)


def _probe(program: str, places: Places) -> list[str]:
    frozen = frozen_places(places)
    # A stand-in in the workspace would be seen by whoever watches it; one in the private /tmp tries the same.
    tried = Frozen(frozen.present, (Path("/tmp/stand-in"),), ())  # noqa: S108
    return [*bubblewrap.arguments(program, places, tried, network=False, folder=None), "/bin/sh", "-c", ":"]


def _complaint(command: Sequence[str], name: str) -> str:
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{name} does not start ({error})"
    if result.returncode == 0:
        return ""
    said = result.stderr.decode(errors="replace").strip().partition("\n")[0]
    return f"{name} fails here ({said or result.returncode})"


class Confinement:
    """Builds the command line of each confined command. `state` is a folder of ours for locks.

    `network` lets commands reach it.
    """

    def __init__(self, sandbox: Sandbox, places: Places, state: Path, *, network: bool = False) -> None:
        self.sandbox = sandbox
        self._places = places
        self._state = state
        self._network = network
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @contextmanager
    def command(
        self, argv: Sequence[str], line: str, *, approved: bool, folder: Path | None = None
    ) -> Generator[list[str]]:
        """Give what to start for `argv`; leave when it has ended. `line` is the command line as judged.

        `approved` means that the user or a rule of theirs allowed this line, not the auto mode.
        """
        match self.sandbox.layer:
            case "none":
                yield list(argv)
            case "landlock":
                inner = self._writing_git(argv, line) if approved else None
                yield [*self._landlock(approved=approved), *(inner or argv)]
            case "bubblewrap":
                assert self.sandbox.program is not None
                frozen = frozen_places(self._places)
                inner = self._writing_git(argv, line) if approved else None
                with stand_ins(self._state, real(self._places.root), frozen.missing, frozen.parents):
                    frozen = _standing(frozen)
                    words = bubblewrap.arguments(
                        self.sandbox.program,
                        self._places,
                        frozen,
                        network=self._network,
                        repository=inner is not None,
                        settings=inner is not None and writes_settings(line),
                        folder=folder,
                    )
                    yield [*words, *(inner or argv)]

    def note(self, line: str, code: int | None, output: str) -> str:
        """Return what to tell of a command that has ended; empty if the sandbox had no part in its end."""
        refused = self.sandbox.layer != "none" and code and refused_by_sandbox(line, output)
        return READ_ONLY_NOTE if refused else ""

    def _writing_git(self, argv: Sequence[str], line: str) -> list[str] | None:
        """What to start for a git call that may write the repository; None for any other line."""
        root = real(self._places.root)
        setter = find_program("env", root=root)
        if setter is None or may_write_repository(line, self._places):
            return None
        return [setter, *(f"{name}={value}" for name, value in for_writing(root).items()), *argv]

    def _landlock(self, *, approved: bool) -> list[str]:
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="wakeful-")
        return landlock_rules.arguments(
            self._places,
            frozen_places(self._places),
            Path(self._scratch.name),
            network=self._network,
            approved=approved,
        )

    def close(self) -> None:
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None


def _standing(frozen: Frozen) -> Frozen:
    """Without what could not be created: in a folder that is not ours to write, nobody else can either."""
    return Frozen(
        frozen.present,
        tuple(path for path in frozen.missing if path.is_dir()),
        tuple(path for path in frozen.parents if path.is_dir()),
    )
