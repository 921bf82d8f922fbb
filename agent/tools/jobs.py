"""Shows and ends the commands that run in the background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from agent.tools.tool import Job, Target, Tool, ToolError, Workspace


async def jobs(workspace: Workspace, action: Literal["list", "output", "kill"] = "list", id: int = 0) -> str:  # noqa: A002
    if action == "list":
        return "\n".join(_line(job) for job in workspace.jobs.list()) or "no jobs"
    if id == 0:
        raise ToolError(f"{action} needs the id of a job; list shows them")
    if action == "kill":
        return f"ended: {_line(await workspace.jobs.kill(id))}"
    output = workspace.jobs.output(id).output.rstrip("\n")
    job = next(job for job in workspace.jobs.list() if job.id == id)
    return f"{_line(job)}\n{output}"


def _line(job: Job) -> str:
    state = "running" if job.code is None else f"exit code {job.code}"
    return f"{job.id} ({state}, {job.seconds:.0f} s): {job.command}"


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    del arguments
    return ()


def _title(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['action']} {arguments['id'] or ''}".strip()


TOOL = Tool("jobs", jobs, _targets, _title)
