"""Runs the tool calls of one reply: checked, permitted, bounded, stored; side by side where that is safe."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from itertools import groupby
from typing import Any

from agent.context.compaction import visible
from agent.events import Choice, Event, ToolFinished, ToolOutput, ToolStarted
from agent.gate import DeniedError, Gate, Permit
from agent.journal import UNBEGUN, Journal
from agent.models.assemble import Call
from agent.partial_output import PartialOutput, saving
from agent.questions import Questions
from agent.tools import registry
from agent.tools.local import Doors, LocalWorkspace
from agent.tools.rehearsing import Rehearsal, rehearsed
from agent.tools.tool import Output, Target, Tool, ToolError
from store.clock import now
from store.frozen import frozen
from store.records import Part, SessionState, ToolStatus

log = logging.getLogger(__name__)


@frozen
class Toolbox:
    """What calls run with; `contexts` gives tools that act on something else their first argument."""

    tools: tuple[Tool, ...]
    workspace: LocalWorkspace
    gate: Gate
    journal: Journal
    questions: Questions
    emit: Callable[[Event], None]
    waiting: Callable[[SessionState], AbstractAsyncContextManager[None]]
    contexts: Callable[[str], object | None]


@frozen
class _Job:
    call: Call
    part: Part
    tool: Tool | None


async def run_calls(box: Toolbox, calls: Sequence[Call], parts: Sequence[Part]) -> None:
    jobs = [_Job(call, part, _find(box.tools, call.name)) for call, part in zip(calls, parts, strict=True)]
    for batch in _batches(jobs):
        try:
            async with asyncio.TaskGroup() as group:
                for job in batch:
                    group.create_task(_run(box, job))
        except BaseExceptionGroup as errors:
            # Only the store can fail here, and whoever ends the turn wants to know how.
            raise errors.exceptions[0] from errors


def _find(tools: Sequence[Tool], name: str) -> Tool | None:
    return next((tool for tool in tools if tool.name == name), None)


def _batches(jobs: Sequence[_Job]) -> Iterator[list[_Job]]:
    """Neighbours that change nothing go together; everything else goes alone and in order."""
    for safe, neighbours in groupby(jobs, lambda job: job.tool is not None and job.tool.safe):
        if safe:
            yield list(neighbours)
        else:
            yield from ([job] for job in neighbours)


async def _run(box: Toolbox, job: _Job) -> None:
    started = now()
    output = Output("")
    status: ToolStatus = "interrupted"
    begun = False
    partial = PartialOutput()
    try:
        arguments = _arguments(box, job)
        assert job.tool is not None
        box.emit(_started(job, arguments, job.tool.title(arguments)))
        context = await _permitted(box, job.tool, job.part, arguments, partial)
        await box.journal.update_call(job.part, "running")
        # How long a person thought about it is not the tool's time.
        started, begun = now(), True
        async with saving(box.journal, job.part, partial, started):
            output = await registry.call(job.tool, context, arguments)
        output = _guided(box, job.tool, output)
        status = "completed"
    except DeniedError as error:
        status, output = "denied", Output(str(error), metadata={"refused": error.reason})
    except ToolError as error:
        status, output = "failed", Output(f"Error: {error}")
    except Exception as error:
        log.exception("tool %s failed", job.call.name)
        status, output = "failed", Output(f"Error: {job.call.name} broke: {type(error).__name__}: {error}")
    finally:
        if not begun:
            started = now()
        if status == "interrupted":
            output = Output(partial.text) if begun else Output("", metadata=dict(UNBEGUN))
        await _finish(box, job, status, output, started)


def _guided(box: Toolbox, tool: Tool, output: Output) -> Output:
    """The first result with a guide that the model still sees carries that guide."""
    if not tool.guide:
        return output
    names = {other.name for other in box.tools if (other.on, other.guide) == (tool.on, tool.guide)}
    parts = (part for message in visible(box.journal.messages) for part in message.parts)
    if any(part.tool in names and part.status == "completed" and part.pruned_at is None for part in parts):
        return output
    return replace(output, text=f"{output.text}\n\n{registry.guide(tool)}")


def _arguments(box: Toolbox, job: _Job) -> dict[str, Any]:
    try:
        tool = registry.find(box.tools, job.call.name)
        if job.call.problem:
            raise ToolError(job.call.problem)
        return registry.validate(tool, json.dumps(job.call.input))
    except ToolError:
        box.emit(_started(job, job.call.input or {}, job.call.name))
        raise


def _started(job: _Job, arguments: Mapping[str, Any], title: str) -> ToolStarted:
    part = job.part
    return ToolStarted(part.message_id, part.id, job.call.id, job.call.name, dict(arguments), title)


async def _permitted(
    box: Toolbox, tool: Tool, part: Part, arguments: Mapping[str, Any], partial: PartialOutput
) -> object:
    """What the call may work on; raises DeniedError."""
    targets = tool.targets(arguments)
    doors = _doors(box, tool, part, partial)
    workspace = box.workspace.bound(doors, granted=targets)

    async def rehearse(permit: Permit) -> Rehearsal:
        tried = workspace.permitted(permit.places, permit.outside).rehearsal()
        return await rehearsed(tool, tried, arguments)

    permit = await box.gate.permit(
        tool,
        targets,
        arguments=arguments,
        rehearse=rehearse if tool.rehearsable else None,
        call_id=part.call_id or "",
    )
    context = box.contexts(tool.on)
    if context is None:
        permitted = workspace.permitted(permit.places, permit.outside, permit.approved)
        permitted.allowed_by_user = not permit.by_mode
        context = permitted
    return context


def _doors(box: Toolbox, tool: Tool, part: Part, partial: PartialOutput) -> Doors:
    async def ask(question: str, choices: tuple[str, ...]) -> str:
        if not box.questions.attended:
            raise ToolError("nobody is there to answer; decide yourself and say what you assumed")
        offered = tuple(Choice(choice, choice, str(number)) for number, choice in enumerate(choices, 1))
        async with box.waiting("awaiting_human"):
            answer = await box.questions.ask("ask_user", question, offered, tool=tool.name)
        return answer.text or answer.choice

    async def permit(target: Target) -> None:
        await box.gate.permit(tool, (target,), call_id=part.call_id or "")

    def emit(text: str) -> None:
        partial.add(text)
        box.emit(ToolOutput(part.id, part.call_id or "", text))

    return Doors(emit, ask, permit)


async def _finish(box: Toolbox, job: _Job, status: ToolStatus, output: Output, started: int) -> None:
    title = output.title
    data = json.dumps({"title": title, "metadata": output.metadata}) if title or output.metadata else None
    part = await box.journal.update_call(
        job.part, status, output.text, data=data, attachments=output.attachments, started_at=started
    )
    box.emit(
        ToolFinished(
            part.message_id,
            part.id,
            job.call.id,
            job.call.name,
            status,
            output.text,
            (part.ended_at or started) - started,
            title,
            output.metadata,
        )
    )
