"""Notes every change that a session makes to files, with what was there before, so that it can go back."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from agent.rewind.baseline import Baseline
from agent.rewind.blobs import Blobs, digest_of
from agent.rewind.states import ABSENT
from agent.tools.tool import Change, ToolError
from store import rewinds
from store.database import Store
from store.records import FileState, FileStep, StepCause


class Ledger:
    def __init__(self, store: Store, session_id: str, blobs: Blobs, baseline: Baseline) -> None:
        self.blobs = blobs
        self._store = store
        self._session_id = session_id
        self._baseline = baseline
        self._commands = 0
        self._looking = asyncio.Lock()

    @asynccontextmanager
    async def editing(self, changes: Sequence[Change]) -> AsyncGenerator[None, None]:
        """The steps are noted first: after a kill in the middle the file is as before or as noted."""
        drafts = await asyncio.to_thread(lambda: list(self._edits(changes)))
        steps = await self._store.write(rewinds.add_steps, drafts)
        try:
            yield
        except (OSError, ToolError):
            await self._store.write(rewinds.remove_steps, self._session_id, [step.id for step in steps])
            raise

    @asynccontextmanager
    async def commanding(self) -> AsyncGenerator[None, None]:
        """Commands that overlap share one look before; each notes at its end what has changed by then."""
        async with self._looking:
            self._commands += 1
            if self._commands == 1:
                await asyncio.to_thread(self._baseline.refresh)
        try:
            yield
        finally:
            async with self._looking:
                self._commands -= 1
                drafts = await asyncio.to_thread(self._commanded)
                if drafts:
                    await self._store.write(rewinds.add_steps, drafts)

    @property
    def covers_commands(self) -> bool:
        """Whether the project is small enough to be looked at around every command."""
        return self._baseline.covers

    def touch(self, path: Path) -> None:
        """The session knows this file, and so a command may well be about it."""
        self._baseline.touch(path)

    def close(self) -> None:
        self._baseline.close()

    def _edits(self, changes: Sequence[Change]) -> Iterator[FileStep]:
        made: set[Path] = set()
        for change in changes:
            self.touch(change.path)
            if change.before is None:
                missing = [folder for folder in _missing(change.path) if folder not in made]
                made.update(missing)
                yield from (self._step("edit", folder, ABSENT, FileState("folder")) for folder in missing)
            before = _state(change.before, _mode(change.path))
            after = _state(change.after, before.mode)
            if change.before is not None:
                self.blobs.put(change.before)
            yield self._step("edit", change.path, before, after)

    def _commanded(self) -> list[FileStep]:
        drafts: list[FileStep] = []
        for found in self._baseline.differences():
            if found.content is not None and found.before.kind in ("file", "link"):
                self.blobs.put(found.content)
            drafts.append(self._step("shell", found.path, found.before, found.after))
        return drafts

    def _step(self, cause: StepCause, path: Path, before: FileState, after: FileState) -> FileStep:
        return FileStep(0, self._session_id, 0, cause, str(path), before, after)


def _state(data: bytes | None, mode: int | None) -> FileState:
    return ABSENT if data is None else FileState("file", mode, digest_of(data), len(data))


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return None


def _missing(path: Path) -> list[Path]:
    """The folders that have to be made for it, outermost first."""
    missing: list[Path] = []
    for folder in path.parents:
        if folder.exists():
            break
        missing.append(folder)
    return missing[::-1]
