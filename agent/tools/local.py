"""The workspace on the real file system: confined to its root, and wary of what changed behind its back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    nullcontext,
)
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from agent.digests import hashed
from agent.executables import find_program
from agent.paths import make_private_folder
from agent.permissions.paths import is_kernel_path
from agent.permissions.sandbox import Confinement
from agent.tools import files, process
from agent.tools.background import LocalJobs
from agent.tools.tool import Change, Finished, Target, ToolError
from store.frozen import frozen
from store.ids import chance_name

Print = tuple[Path, bytes | None, bytes | None]
"""A change by its content: the path, and the digests before and after."""


def _silent(text: str) -> None:
    del text


def _nothing(command: str) -> Mapping[str, str]:
    del command
    return {}


async def _nobody(question: str, choices: tuple[str, ...]) -> str:
    del question, choices
    raise ToolError("nobody is there to answer; decide yourself and say what you assumed")


async def _refused(target: Target) -> None:
    raise ToolError(f"{target.subject} needs the user's consent, and nobody is there to give it")


@frozen
class Doors:
    """How one call reaches the person in front of the screen."""

    emit: Callable[[str], None] = _silent
    ask: Callable[[str, tuple[str, ...]], Awaitable[str]] = _nobody
    permit: Callable[[Target], Awaitable[None]] = _refused


_CLOSED = Doors()


class Ledger(Protocol):
    """Is told before files change, so that they can be put back."""

    def editing(self, changes: Sequence[Change]) -> AbstractAsyncContextManager[None]: ...
    def commanding(self) -> AbstractAsyncContextManager[None]: ...
    def touch(self, path: Path) -> None: ...


@dataclass
class LocalWorkspace:
    """`allowed` are grants beyond the root; `protected` is never written, `secret` not even read.

    `environment` and `confinement` are what commands run with, and `adding` gives the variables that one
    command gets besides; `logs` holds long outputs. `allowed_by_user` says that the user or a rule of theirs
    allowed the call, not the auto mode.
    `ledger` notes every change that is made here. `pinned` says where paths led when they were permitted;
    `approved` names the only changes that may be made, and `proposed` are those that a rehearsal would make.
    """

    root: Path
    logs: Path
    environment: Mapping[str, str]
    confinement: Confinement | None = None
    adding: Callable[[str], Mapping[str, str]] = _nothing
    allowed: tuple[Path, ...] = ()
    protected: tuple[Path, ...] = ()
    secret: tuple[Path, ...] = ()
    doors: Doors = _CLOSED
    granted: tuple[Target, ...] = ()
    ledger: Ledger | None = None
    rehearsing: bool = False
    pinned: Mapping[str, Path] = field(default_factory=dict[str, Path])
    approved: frozenset[Print] | None = None
    proposed: tuple[Change, ...] = ()
    allowed_by_user: bool = False
    _shown: dict[Path, bytes] = field(default_factory=dict[Path, bytes])

    jobs: LocalJobs = field(init=False)

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.logs = self.logs.resolve()
        self.allowed = _resolved(self.allowed)
        self.protected = _resolved(self.protected)
        self.secret = _resolved(self.secret)
        self.jobs = LocalJobs(self.start_job)

    def bound(
        self,
        doors: Doors,
        *,
        allowed: tuple[Path, ...] = (),
        granted: tuple[Target, ...] = (),
    ) -> LocalWorkspace:
        """The same workspace for one call: its own way to the person, and what was granted to it.

        `allowed` are real paths beyond the root; targets in `granted` are not asked about again.
        """
        other = copy(self)
        other.doors = doors
        other.granted = granted
        other.jobs = self.jobs.started_by(other.start_job)
        # As they were when they were permitted: to resolve them again would follow a link swapped meanwhile.
        other.allowed = self.allowed + allowed
        return other

    def permitted(
        self, places: Mapping[str, Path], outside: Sequence[Path], approved: frozenset[Print] | None = None
    ) -> LocalWorkspace:
        """The same workspace for one call: paths lead, and files change, only as was permitted."""
        other = self.bound(self.doors, allowed=tuple(outside), granted=self.granted)
        other.pinned, other.approved = places, approved
        return other

    def rehearsal(self) -> LocalWorkspace:
        """The same workspace, in which nothing changes: whether a change could be made, and which."""
        other = self.bound(_CLOSED)
        other.rehearsing = True
        return other

    def resolve(self, path: str, *, writing: bool = False) -> Path:
        real = self._real(path)
        if self.pinned.get(path, real) != real:
            raise ToolError(
                f"{path} led to {self.pinned[path]} when that was permitted, and leads elsewhere now; "
                "nothing was done. Try again"
            )
        readable = real.is_relative_to(self.logs) and not writing
        if not readable and any(real.is_relative_to(secret) for secret in self.secret):
            raise ToolError(f"{path} holds Wakeful's own secrets; tools may not touch it")
        granted = any(real.is_relative_to(grant) for grant in self.allowed)
        if not granted and is_kernel_path(real):
            raise ToolError(f"{path} is not an ordinary file; use shell if you need it")
        if not (granted or readable or real.is_relative_to(self.root)):
            raise ToolError(f"{path} is outside the workspace {self.root}; ask the user before going there")
        if writing:
            self._refuse_protected(path, real)
        return real

    async def read(self, path: Path, *, shown: bool = False) -> bytes:
        self.resolve(str(path))
        data = await asyncio.to_thread(files.read, path)
        if shown:
            self._shown[path] = _digest(data)
            if self.ledger:
                self.ledger.touch(path)
        return data

    def known(self, path: Path) -> bool:
        return path in self._shown

    def forget(self) -> None:
        """The model no longer knows what it was shown: whatever it changes it has to read first."""
        self._shown.clear()

    async def apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self.resolve(str(change.path), writing=True)
            shown = self._shown.get(change.path)
            if shown is not None and (change.before is None or _digest(change.before) != shown):
                raise ToolError(f"{change.path} changed since you read it; read it again and redo the change")
        if self.rehearsing:
            await asyncio.to_thread(files.probe, changes)
            self.proposed = tuple(changes)
            return
        if self.approved is not None and prints(changes) != self.approved:
            names = ", ".join(str(change.path) for change in changes)
            raise ToolError(
                f"nothing was written: {names} changed after the user was asked about this change; "
                "read it again and redo the change"
            )
        try:
            async with self.ledger.editing(changes) if self.ledger else nullcontext():
                await asyncio.to_thread(files.replace, changes)
        except OSError as error:
            raise ToolError(f"nothing was written: {error.strerror}: {error.filename}") from error
        for change in changes:
            if change.after is None:
                self._shown.pop(change.path, None)
            elif change.before is None or change.path in self._shown:
                self._shown[change.path] = _digest(change.after)

    async def run(
        self, command: str, *, timeout: float, emit: Callable[[str], None] | None = None
    ) -> Finished:
        assert not self.rehearsing, "a command cannot be rehearsed"
        try:
            async with AsyncExitStack() as stack:
                if self.ledger:
                    await stack.enter_async_context(self.ledger.commanding())
                code, capture = await process.run(
                    stack.enter_context(self._command_line(command)),
                    cwd=self.root,
                    env={**self.environment, **self.adding(command)},
                    log=self._new_log("shell"),
                    timeout=timeout,
                    emit=emit,
                )
        except OSError as error:
            raise ToolError(f"could not start the command: {error.strerror}: {error.filename}") from error
        output = capture.text()
        note = self.confinement.note(command, code, output) if self.confinement else ""
        return Finished(code, output, capture.log, note)

    def keep(self, text: str) -> Path:
        path = self._new_log("text")
        make_private_folder(path.parent)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(text, encoding="utf-8", errors="replace")
        return path

    def emit(self, text: str) -> None:
        self.doors.emit(text)

    async def ask(self, question: str, choices: tuple[str, ...]) -> str:
        return await self.doors.ask(question, choices)

    async def permit(self, target: Target) -> None:
        if target not in self.granted:
            await self.doors.permit(target)

    async def close(self) -> None:
        await self.jobs.close()
        if self.confinement is not None:
            self.confinement.close()

    def _real(self, path: str) -> Path:
        if not path or "\0" in path:
            raise ToolError("the path is empty or holds a NUL character; give a path below the workspace")
        if path.startswith("~"):
            raise ToolError(f"{path}: ~ is not expanded; give the full path")
        try:
            return (self.root / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError(f"{path!r} cannot be followed: {error}") from error

    def _refuse_protected(self, path: str, real: Path) -> None:
        if any(part.casefold() == ".git" for part in real.parts):
            raise ToolError(f"{path} is inside .git, which tools never write; use git commands in shell")
        folded = Path(str(real).casefold())
        for protected in self.protected:
            if folded.is_relative_to(str(protected).casefold()):
                raise ToolError(f"{path} is Wakeful's own configuration; only the user may change it")

    def _command_line(self, command: str) -> AbstractContextManager[Sequence[str]]:
        """The program and its arguments; to be left when it has ended."""
        shell = find_program("bash", root=self.root) or "/bin/sh"
        argv = [shell, "-c", command]
        if self.confinement is None:
            return nullcontext(argv)
        return self.confinement.command(argv, command, approved=self.allowed_by_user)

    async def start_job(self, command: str) -> process.Process:
        try:
            with ExitStack() as stack:
                job = await process.Process.start(
                    stack.enter_context(self._command_line(command)),
                    cwd=self.root,
                    env={**self.environment, **self.adding(command)},
                    log=self._new_log("job"),
                )
                job.when_ended(stack.pop_all().close)
                return job
        except OSError as error:
            raise ToolError(f"could not start the command: {error.strerror}: {error.filename}") from error

    def _new_log(self, kind: str) -> Path:
        return self.logs / f"{kind}-{chance_name(6)}.txt"


def prints(changes: Sequence[Change]) -> frozenset[Print]:
    return frozenset((change.path, _mark(change.before), _mark(change.after)) for change in changes)


def _mark(data: bytes | None) -> bytes | None:
    return None if data is None else _digest(data)


def _resolved(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(path.resolve() for path in paths)


def _digest(data: bytes) -> bytes:
    return hashed(data, size=16).digest()
