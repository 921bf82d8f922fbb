"""Commands that run in the background while the agent goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agent.tools.process import Process
from agent.tools.tool import Finished, Job, ToolError
from store.frozen import frozen

MOST = 16


class LocalJobs:
    """Owns its processes: `close` ends whatever still runs."""

    def __init__(
        self, start: Callable[[str], Awaitable[Process]], started: dict[int, _Started] | None = None
    ) -> None:
        self._start = start
        self._started: dict[int, _Started] = {} if started is None else started

    def started_by(self, start: Callable[[str], Awaitable[Process]]) -> LocalJobs:
        """The same jobs for one call, which starts its own in another way."""
        return LocalJobs(start, self._started)

    async def start(self, command: str) -> Job:
        running = sum(1 for started in self._started.values() if started.process.code is None)
        if running >= MOST:
            raise ToolError(f"{running} jobs are running, the most allowed; kill one first")
        number = len(self._started) + 1
        self._started[number] = _Started(command, await self._start(command))
        return self._job(number)

    def list(self) -> tuple[Job, ...]:
        return tuple(self._job(number) for number in self._started)

    def output(self, job: int) -> Finished:
        process = self._find(job).process
        return Finished(process.code, process.capture.text(), process.capture.log)

    async def kill(self, job: int) -> Job:
        await self._find(job).process.stop()
        return self._job(job)

    async def close(self) -> None:
        # Asked one after another, each would add its second of grace.
        for started in self._started.values():
            started.process.let_go()
        for started in self._started.values():
            await started.process.stop()

    def _find(self, job: int) -> _Started:
        if job not in self._started:
            known = ", ".join(map(str, self._started)) or "none"
            raise ToolError(f"no job {job}; there are: {known}")
        return self._started[job]

    def _job(self, number: int) -> Job:
        started = self._started[number]
        return Job(number, started.command, started.process.code, started.process.seconds)


@frozen
class _Started:
    command: str
    process: Process
