"""The one place where what happened becomes what is read: events and stored messages to entries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, cast

from agent.context.attachments import name_of
from agent.context.compaction import mark_of, told
from agent.events import (
    ContextCompacted,
    ContextPruned,
    Event,
    Failed,
    MessageAdded,
    Notice,
    QuestionAnswered,
    QuestionAsked,
    ReasoningDelta,
    RetryWaiting,
    StepStarted,
    TaskFinished,
    TaskStarted,
    TextDelta,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnEnded,
    WakeStarted,
)
from agent.models.loose import as_text
from agent.tools.ask_user import ANSWERED
from agent.tools.registry import title_of
from agent.turn_failure import WITHOUT_REPLY, data_of, is_empty, of_message, with_calls_before
from store.records import Message, Part, ToolStatus
from tui.failures import retried, way_on
from tui.plain import compacted_line
from tui.transcript import entries as shapes
from tui.transcript.entries import AssistantText, Body, Entry, Failure, Reasoning, ToolCall, UserMessage
from tui.transcript.view import Transcript
from tui.verbs import TALKATIVE, is_planning, is_unbegun, is_undone, refusal, tally, verb

# Of what a command of the user's own printed: they ran it to see that.
OWN_LINES = 20
_ASKING = "ask_user"
# What is done in a shell elsewhere has a screen here.
_SET_KEY = re.compile(r"(run )?`wakeful config set-key[^`]*`")


class Feed:
    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._numbers = count(1)
        self._streams: list[str] = []
        self._asked: dict[str, QuestionAsked] = {}
        self._running: dict[str, ToolStarted] = {}
        self._own: dict[str, str] = {}
        self._retried = 0

    def load_older(self, messages: Sequence[Message]) -> None:
        """What was said before, above what is there."""
        self._transcript.prepend(list(stored(messages)))

    def restart(self) -> tuple[Body, ...]:
        """The conversation is another one from here on; gives what stood at its end and is no part of it."""
        slots = self._transcript.document.slots
        own = takewhile(
            lambda slot: slot.entry.id.startswith("n") and not slot.entry.message, reversed(slots)
        )
        # A command that runs on comes again by itself.
        bodies = tuple(slot.entry.body for slot in own if slot.entry.id not in self._own)[::-1]
        self._streams.clear()
        self._running.clear()
        self._retried = 0
        self._transcript.clear()
        return bodies

    def show(self, event: Event) -> None:
        match event:
            case TextDelta():
                self._stream(f"p{event.part_id}", "text", event.text, event.message_id)
            case ReasoningDelta():
                self._stream(f"p{event.part_id}", "reasoning", event.text, event.message_id)
            case ToolStarted() | ToolOutput() | ToolFinished():
                self._tool(event)
            case MessageAdded():
                self._close()
                if body := _said(event.message):
                    self._transcript.add(Entry(f"n{next(self._numbers)}", body, event.message.id))
            case RetryWaiting():
                self._retry(event)
            case StepStarted() | TurnEnded():
                self._close()
                self._retried = 0
                self._remark(event)
            case _:
                self._remark(event)

    def greet(self, body: shapes.Printed) -> None:
        """Stands there until anything else does."""
        self._transcript.greet(body)

    def note(self, text: str, *, warning: bool = False) -> None:
        self.add(shapes.Notice(text, "warning" if warning else "info"))

    def achieve(self, text: str) -> None:
        self.add(shapes.Notice(f"✓ {text}", "done"))

    def fail(self, text: str, hint: str = "") -> None:
        self.add(_failure(text, hint))

    def add(self, *bodies: Body) -> None:
        self._transcript.add(*(Entry(f"n{next(self._numbers)}", body) for body in bodies))

    def answer(self, body: shapes.Printed, *, from_the_top: bool) -> None:
        """What a command has to say; where it is longer than the screen it is read from its beginning."""
        followed = self._transcript.following
        self.add(body)
        if from_the_top and followed:
            self._transcript.show_start()

    def run(self, command: str) -> str:
        """A command of the user's own begins; gives the name of its card."""
        name = f"n{next(self._numbers)}"
        self._own[name] = command
        self._keep_card(name)
        return name

    def print(self, name: str, piece: str) -> None:
        """Output of a command of the user's own, below the line that ran it."""
        self._keep_card(name)
        self._transcript.add_output(name, piece)

    def printed(
        self, name: str, status: ToolStatus, remark: str = "", duration_ms: int | None = None
    ) -> None:
        """The command has ended."""
        self._keep_card(name)
        self._transcript.update_tool(
            name, status=status, verb=verb("shell"), tally=remark, duration_ms=duration_ms
        )
        del self._own[name]

    def _keep_card(self, name: str) -> None:
        """It may have left the screen since."""
        if name not in self._transcript.document:
            body = ToolCall(verb("shell", running=True), self._own[name], preview=OWN_LINES)
            self._transcript.add(Entry(name, body))

    def _retry(self, event: RetryWaiting) -> None:
        """Whatever came of the reply is void; that it is asked for again stands in the state line."""
        slots = self._transcript.document.slots
        begun = any(slot.entry.message == event.message_id for slot in slots)
        self._streams.clear()
        self._retried = 0
        self._transcript.drop(event.message_id)
        if begun:
            # Of the message, so that the next try takes it back too.
            note = Entry(f"n{next(self._numbers)}", shapes.Notice(retried(event.reason)), event.message_id)
            self._transcript.add(note)
            self._retried = event.message_id

    def _stream(self, entry_id: str, kind: shapes.StreamKind, text: str, message: int) -> None:
        # Something came of asking again.
        self._retried = 0
        if entry_id not in self._streams:
            self._close()
            self._streams.append(entry_id)
        self._transcript.stream(entry_id, kind, text, message)

    def _close(self) -> None:
        for entry_id in self._streams:
            self._transcript.finish(entry_id)
        self._streams.clear()

    def _tool(self, event: ToolStarted | ToolOutput | ToolFinished) -> None:
        entry_id, document = f"p{event.part_id}", self._transcript.document
        match event:
            case ToolStarted():
                self._close()
                self._retried = 0
                self._running[event.call_id] = event
                if not (is_planning(event.name) or event.name == _ASKING):
                    body = ToolCall(verb(event.name, running=True), event.title, preview=_preview(event.name))
                    self._transcript.add(Entry(entry_id, body, event.message_id))
            case ToolOutput():
                if entry_id in document:
                    self._transcript.add_output(entry_id, event.text)
            case ToolFinished():
                started = self._running.pop(event.call_id, None)
                arguments = started.arguments if started else {}
                if talk := _talk(event.name, event.status, arguments, event.output):
                    names = (entry_id, f"a{event.part_id}")
                    said = (Entry(*each, event.message_id) for each in zip(names, talk, strict=True))
                    self._transcript.add(*said)
                    return
                if entry_id not in document and event.status == "completed" and is_planning(event.name):
                    return
                if entry_id not in document:
                    body = ToolCall(verb(event.name), event.title, preview=_preview(event.name))
                    self._transcript.add(Entry(entry_id, body, event.message_id))
                unrun = is_unbegun(event.status, event.metadata)
                self._transcript.update_tool(
                    entry_id,
                    status=_status(event.status, event.metadata),
                    output=refusal(event.metadata) or event.output,
                    diff=str(event.metadata.get("diff", "")),
                    duration_ms=None if unrun else event.duration_ms,
                    subject=event.title or None,
                    verb=verb(event.name, denied=is_undone(event.name, event.status, event.metadata)),
                    tally=tally(event.metadata),
                )

    def _remark(self, event: Event) -> None:
        match event:
            case Notice() if event.text.startswith("all done"):
                self.achieve(event.text)
            case Notice():
                self.note(event.text, warning=event.level != "info")
            case Failed():
                if self._retried:
                    # Nothing came of asking again, and the failure says it all.
                    self._transcript.drop(self._retried)
                self.fail(event.message, way_on(event.code, event.hint))
            case TurnEnded(reason="interrupted"):
                self.note("interrupted", warning=True)
            case QuestionAsked():
                self._asked[event.question_id] = event
                self._hold(event, asked=True)
            case QuestionAnswered():
                self._answered(event)
            case _:
                if text := _remarked(event):
                    self.note(text)

    def _answered(self, event: QuestionAnswered) -> None:
        asked = self._asked.pop(event.question_id, None)
        if asked is None:
            return
        shown = self._hold(asked, asked=False)
        if event.choice == "no" and asked.purpose == "confirm":
            self.note("left as it is")
        elif event.choice == "no" and not shown:
            self.note(refusal({"refused": event.text}), warning=True)

    def _hold(self, question: QuestionAsked, *, asked: bool) -> bool:
        """What is asked about has not begun; False when no call is shown for it."""
        started = self._running.get(question.call_id)
        entry_id = f"p{started.part_id}" if started else ""
        if question.purpose != "permission" or started is None or entry_id not in self._transcript.document:
            return False
        status = "pending" if asked else "running"
        self._transcript.update_tool(
            entry_id, status=status, verb=verb(started.name, running=True, asked=asked)
        )
        return True


def _remarked(event: Event) -> str:
    match event:
        case WakeStarted():
            return f"woken {event.wake}/{event.max_wakes}: open todos are left"
        case ContextPruned():
            return f"{event.parts} old tool results left the prompt; they are still here to read"
        case ContextCompacted(automatic=True):
            return compacted_line(event)
        case TaskStarted():
            return f"{event.agent} started: {event.title}"
        case TaskFinished():
            return f"subagent {event.status}: {event.text}"
        case _:
            return ""


def stored(messages: Sequence[Message]) -> Iterator[Entry]:
    """What was said before, as it looked then."""
    for message, after_calls in with_calls_before(messages):
        if message.role == "user":
            body = (
                shapes.Notice("woken: open todos were left") if message.origin == "wake" else _said(message)
            )
            if body:
                yield Entry(f"m{message.id}", body, message.id)
            continue
        for part in message.parts:
            for name, body in zip((f"p{part.id}", f"a{part.id}"), _part(part), strict=False):
                yield Entry(name, body, message.id)
        if ending := _ending(message, after_calls=after_calls):
            yield Entry(f"i{message.id}", ending, message.id)


def _ending(message: Message, *, after_calls: bool) -> Body | None:
    """What stands below a reply that did not end as it should."""
    if message.finish == "interrupted":
        return shapes.Notice("interrupted", "warning")
    if failure := of_message(message, after_calls=after_calls):
        return _failure(failure.message, way_on(failure.code, failure.hint))
    if message.finish == "stop" and is_empty(message):
        return shapes.Notice(WITHOUT_REPLY)
    return None


def _failure(text: str, hint: str) -> Failure:
    return Failure(text, _SET_KEY.sub(lambda found: "use /setup" if found[1] else "/setup", hint))


def _said(message: Message) -> Body | None:
    match message.origin:
        case "human" | "peer":
            shown = [f"[{name_of(part)}]" for part in message.parts if part.kind == "file"]
            return UserMessage(
                "\n".join([message.text, *shown]), "from another agent" if message.origin == "peer" else ""
            )
        case "summary":
            mark = mark_of(message)
            undone = ", taken back" if mark and mark.undone else ""
            return Reasoning(told(message), title=f"Summary of what came before{undone}")
        case _:
            # What the agent is told behind the scenes is on the plan already.
            return None


def _part(part: Part) -> tuple[Body, ...]:
    match part.kind:
        case "text" if part.text.strip():
            return (AssistantText(part.text),)
        case "reasoning" if part.text.strip():
            return (Reasoning(part.text),)
        case "tool" if part.tool and not (part.status == "completed" and is_planning(part.tool)):
            talk = _talk(part.tool, part.status, _parsed(part.input), part.output or "")
            return talk or (_stored_call(part, part.tool),)
        case "retry" if data_of(part).get("begun"):
            return (shapes.Notice(retried(as_text(data_of(part).get("reason")))),)
        case _:
            return ()


def _talk(
    tool: str, status: ToolStatus | None, arguments: Mapping[str, Any], output: str
) -> tuple[Body, ...]:
    """What the agent asked and the user answered is part of what they said."""
    question = arguments.get("question")
    if tool != _ASKING or status != "completed" or not isinstance(question, str):
        return ()
    return (AssistantText(question), UserMessage(output.removeprefix(ANSWERED)))


def _stored_call(part: Part, tool: str) -> ToolCall:
    data, arguments = _parsed(part.data), _parsed(part.input)
    metadata = cast("dict[str, Any]", data.get("metadata") or {})
    took = part.ended_at - part.started_at if part.ended_at and part.started_at else None
    status = part.status or "interrupted"
    unrun = is_unbegun(status, metadata)
    return ToolCall(
        verb(tool, denied=is_undone(tool, status, metadata)),
        str(data.get("title") or title_of(tool, arguments) or _subject(arguments)),
        _status("interrupted" if status in ("pending", "running") else status, metadata),
        None if unrun else took,
        refusal(metadata) or part.output or "",
        str(metadata.get("diff", "")),
        _preview(tool),
        tally(metadata),
    )


def _parsed(text: str | None) -> dict[str, Any]:
    try:
        found: object = json.loads(text or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _subject(arguments: dict[str, Any]) -> str:
    return next((value for value in arguments.values() if isinstance(value, str)), "")


def _preview(tool: str) -> int:
    return 3 if tool in TALKATIVE else 0


def _status(status: ToolStatus, metadata: dict[str, Any]) -> ToolStatus:
    # A command that ran and failed is no success to the reader.
    return "failed" if status == "completed" and metadata.get("code") not in (0, None) else status
