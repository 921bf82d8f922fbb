"""Going back: to before a message, in what was said, in files or in both; and what the session changed."""

from __future__ import annotations

from typing import Annotated, cast

from agent.commands.errors import CommandError
from agent.commands.kinds import number
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Diff, Draft, Option, Picker, Points, Result, Text
from agent.rewind.service import Outcome, Point, RewindService
from store.clock import age
from store.records import RewindWhat

_SHOWN = 50
_WHATS = ("all", "both", "conversation", "files", "plan")
_WORDS: dict[str, str] = {
    "all": "all",
    "plan": "plan",
    "both": "both",
    "conversation": "conversation",
    "talk": "conversation",
    "files": "files",
}


async def _numbers(context: Context, typed: str) -> list[Completion]:
    del typed
    points = await _service(context).points()
    return [Completion(str(each.number), f"{each.number} {_line(each.text)}") for each in reversed(points)]


async def _whats(context: Context, typed: str) -> list[Completion]:
    del context, typed
    return [Completion(word, word) for word in _WHATS]


def _what(word: str) -> str:
    if word.lower() not in _WORDS:
        raise ValueError(word)
    return _WORDS[word.lower()]


POINT = Kind("NUMBER", number, _numbers)
WHAT = Kind("|".join(_WHATS), _what, _whats)


async def _rewind(context: Context, to: Annotated[int, POINT] = 0, what: Annotated[str, WHAT] = "") -> Result:
    service = _service(context)
    if not to:
        return await _points(service)
    point = await service.point(to)
    if not what:
        return await _choices(point, service)
    if what == "plan":
        return Text(_replanned(await service.rewind_plan(to), point))
    wanted = cast("RewindWhat", "both" if what == "all" else what)
    outcome = await service.rewind(to, wanted, plan=what == "all")
    note = f"back to before message {to} ({_line(point.text)})\n{_told(outcome)}"
    if point.commands and service.ledger and what != "conversation":
        note = f"{note}\n{beyond(point, service)}"
    note = f"{note}\n/rewind undo takes this back"
    return Text(note) if what == "files" else Draft(point.text, note)


async def _undo(context: Context) -> Result:
    outcome = await _service(context).undo()
    redo = "\n/rewind redo goes back again" if outcome.hidden or outcome.restored else ""
    return Text(f"the rewind is taken back\n{_told(outcome)}{redo}")


async def _redo(context: Context) -> Result:
    return Text(f"gone back again\n{_told(await _service(context).redo())}")


async def _diff(context: Context, what: Annotated[str, Kind("NUMBER|PATH", rest=True)] = "") -> Result:
    service = _service(context)
    if service.ledger is None:
        raise CommandError("changes are not noted", "rewind.max_megabytes above 0 turns that on")
    since = int(what) if what.isdecimal() else None
    found = await service.diff(since=since, below="" if since is not None else what.strip('"'))
    if not found.text:
        return Text(f"the session changed nothing{f' in {what}' if what and since is None else ''}")
    files = "1 file" if found.files == 1 else f"{found.files} files"
    also = f"; changed by someone else too: {', '.join(found.foreign)}" if found.foreign else ""
    return Diff(found.text, f"{files} changed{also}")


def _service(context: Context) -> RewindService:
    return context.opened.workshop.rewinds


async def _points(service: RewindService) -> Result:
    points = await service.points()
    if not points:
        undo = "; /rewind undo takes the last rewind back" if await service.undoable() else ""
        return Text(f"there is nothing to go back to{undo}")
    options = [
        Option(f"/rewind {each.number}", f"{each.number}  {_line(each.text)}", _since(each))
        for each in reversed(points[-_SHOWN:])
    ]
    return Points("Go back to before which message?", tuple(options))


async def _choices(point: Point, service: RewindService) -> Picker:
    findings = await service.survey(point)
    goes = sum(each.verdict == "restore" for each in findings if not each.is_folder)
    stays = [each.path.name for each in findings if each.verdict in ("foreign", "lost")]
    files = f"{_count(goes, 'file')} put back"
    if stays:
        files += f"; left as they are: {', '.join(stays)}"
    if service.ledger is None:
        files = "none are kept (rewind.max_megabytes is 0)"
    said = f"{_count(point.messages, 'message')} set aside"
    planned = await service.planned(point)
    plan = f"{_count(planned, 'todo')} taken back" if planned else "the plan is the same"
    options = (
        Option(f"/rewind {point.number} all", "conversation, files and plan", f"{said}; {files}; {plan}"),
        Option(f"/rewind {point.number} both", "conversation and files", f"{said}; {files}; the plan stays"),
        Option(f"/rewind {point.number} conversation", "conversation only", said),
        Option(f"/rewind {point.number} files", "files only", files),
        Option(f"/rewind {point.number} plan", "plan only", plan),
    )
    more = f" ({beyond(point, service)})" if point.commands and service.ledger else ""
    return Picker(f"What goes back to before “{_line(point.text)}”?{more}", options)


def _told(outcome: Outcome) -> str:
    lines: list[str] = []
    if outcome.hidden:
        lines.append(f"{_count(outcome.hidden, 'message')} set aside")
    if outcome.revealed:
        lines.append(f"{_count(outcome.revealed, 'message')} brought back")
    if outcome.rewind.what != "conversation":
        names = f": {', '.join(outcome.restored)}" if outcome.restored else ""
        lines.append(f"{_count(len(outcome.restored), 'file')} put back{names}")
    lines += [f"left as it is: {path} ({why})" for path, why in outcome.left]
    if outcome.plan is not None:
        lines.append(f"{_count(outcome.plan, 'todo')} of the plan taken back")
    return "\n".join(lines)


def _replanned(count: int, point: Point) -> str:
    where = f"before message {point.number} ({_line(point.text)})"
    if not count:
        return f"the plan is as it was {where}"
    return f"the plan is back to {where}\n{_count(count, 'todo')} taken back\n/todos undo takes this back"


def beyond(point: Point, service: RewindService) -> str:
    """What going back cannot know of, said plainly."""
    assert service.ledger is not None
    who = "it" if point.commands == 1 else "they"
    ran = f"{_count(point.commands, 'command')} ran since: what {who} did "
    if service.ledger.covers_commands:
        return f"{ran}outside the project, to ignored or large files, or later, stays"
    return f"{ran}to files the agent had not read or changed stays: the project is large"


def _since(point: Point) -> str:
    files = [f"{_count(point.files, 'file')}"] if point.files else []
    return ", ".join([*files, f"{age(point.time)} ago"])


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


COMMANDS = (
    command("rewind", "Go back to before a message: conversation, files, plan or all", _rewind),
    command("rewind undo", "Take the last rewind back", _undo),
    command("rewind redo", "Do a rewind that was taken back again", _redo),
    command("diff", "Show what the session changed: all, since a message, or below a path", _diff),
)
