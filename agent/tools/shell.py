"""Runs a command line in the project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from agent.tools.tool import Finished, Output, Target, Tool, Workspace

SECONDS = 120
LONGEST = 3600


async def shell(
    workspace: Workspace,
    command: str,
    timeout: Annotated[int, "seconds"] = SECONDS,
    background: Annotated[bool, "return at once; see jobs"] = False,
) -> Output:
    if background:
        job = await workspace.jobs.start(command)
        return Output(
            f"job {job.id} started; use jobs to see its output or kill it", metadata={"job": job.id}
        )
    seconds = min(max(1, timeout), LONGEST)
    finished = await workspace.run(command, timeout=seconds, emit=workspace.emit)
    log = None if finished.log is None else str(finished.log)
    return Output(_report(finished, seconds), metadata={"code": finished.code, "log": log})


def _report(finished: Finished, seconds: int) -> str:
    output = finished.output.rstrip("\n")
    if finished.code is None:
        end = f"(killed after {seconds} s; raise timeout, or use background for what does not end by itself)"
    elif finished.code:
        end = f"(exit code {finished.code})" + (f"\n{finished.note}" if finished.note else "")
    elif output:
        return output
    else:
        end = "(no output)"
    return f"{output}\n{end}" if output else end


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    manner = "in the background" if arguments.get("background") else ""
    return (Target("shell", arguments["command"], manner=manner),)


def _title(arguments: Mapping[str, Any]) -> str:
    return arguments["command"]


TOOL = Tool("shell", shell, _targets, _title)
