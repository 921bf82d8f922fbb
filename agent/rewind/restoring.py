"""Puts files back the way they were, one by one; what cannot be is named and left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from agent.rewind import states
from agent.rewind.blobs import Blobs
from agent.rewind.plan import Finding, Journey
from agent.tools.tool import ToolError
from store.records import FileState

Failures = dict[Path, str]


def survey(journeys: Sequence[Journey], blobs: Blobs) -> tuple[Finding, ...]:
    """What is there now, and what that means for going back."""
    return tuple(_surveyed(journey, blobs) for journey in journeys)


def keep(findings: Sequence[Finding], blobs: Blobs) -> tuple[tuple[Finding, ...], Failures]:
    """Those whose present content is safe now, so that it can come back, and why others are not."""
    safe: list[Finding] = []
    failed: Failures = {}
    for found in findings:
        if found.actual.kind in ("file", "link"):
            data = states.content(found.path, found.actual, blobs.limit)
            if data is None:
                failed[found.path] = "what it holds now cannot be kept for an undo"
                continue
            blobs.put(data)
        safe.append(found)
    return tuple(safe), failed


def restore(findings: Sequence[Finding], blobs: Blobs) -> Failures:
    """What stands in the way first, innermost first; then folders, outermost first; then the rest."""
    failed: Failures = {}
    for found in sorted(findings, key=lambda each: len(each.path.parts), reverse=True):
        if found.actual.kind not in ("absent", found.journey.start.kind):
            _attempt(found.path, failed, partial(states.clear, found.path, found.actual))
    rest = [found for found in findings if found.journey.start.kind != "absent" and found.path not in failed]
    for found in sorted(rest, key=lambda each: (each.journey.start.kind != "folder", len(each.path.parts))):
        _attempt(found.path, failed, partial(_put, found, blobs))
    return failed


def _surveyed(journey: Journey, blobs: Blobs) -> Finding:
    try:
        actual = states.look(journey.path)
    except (OSError, ToolError):
        actual = FileState("other")
    start = journey.start
    kept = start.kind in ("absent", "folder") or (start.kind != "other" and start.digest in blobs)
    return Finding(journey, actual, journey.verdict(actual, kept=kept))


def _put(found: Finding, blobs: Blobs) -> None:
    start = found.journey.start
    data = b"" if start.kind == "folder" else blobs.get(start.digest)
    if data is None:
        raise ToolError("its earlier content is damaged or no longer kept")
    states.put(found.path, start, data)


def _attempt(path: Path, failed: Failures, act: Callable[[], None]) -> None:
    try:
        act()
    except OSError as error:
        failed[path] = error.strerror or str(error)
    except ToolError as error:
        failed[path] = str(error)
