"""The one vocabulary in which the core tells every door what happened."""

from __future__ import annotations

from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from store.clock import Millis
from store.frozen import frozen
from store.records import (
    Artifact,
    Message,
    Origin,
    Progress,
    RewindWhat,
    Role,
    SessionState,
    Todo,
    ToolStatus,
    Usage,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Level = Literal["info", "warning", "error"]


@frozen(kw_only=True)
class Stamped:
    """The bus fills these in, so that whoever emits names only what happened."""

    seq: int = 0
    session: str = ""
    time: Millis = 0


@frozen
class SessionStarted(Stamped):
    workspace: str
    agent: str
    model: str
    title: str = ""
    resumed: bool = False
    kind: Literal["session.started"] = "session.started"


@frozen
class SessionStateChanged(Stamped):
    state: SessionState
    reason: str
    wakes: int = 0
    max_wakes: int = 0
    resume: str = ""
    cause: Literal["", "failed", "blocked"] = ""
    kind: Literal["session.state"] = "session.state"


@frozen
class SessionRewound(Stamped):
    """The conversation is another one now, unless both counts are 0: read it again.

    `message_id` is the first message that was set aside, `hidden` how many were and `revealed` how many came
    back; `left` are files that were not put back.
    """

    message_id: int
    what: RewindWhat
    hidden: int = 0
    revealed: int = 0
    restored: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    kind: Literal["session.rewound"] = "session.rewound"


@frozen
class TurnStarted(Stamped):
    message_id: int
    origin: Origin
    kind: Literal["turn.started"] = "turn.started"


@frozen
class TurnEnded(Stamped):
    """`cost` is None where the price is unknown."""

    reason: str
    usage: Usage
    cost: float | None
    kind: Literal["turn.ended"] = "turn.ended"


@frozen
class StepStarted(Stamped):
    message_id: int
    step: int
    kind: Literal["step.started"] = "step.started"


@frozen
class TextDelta(Stamped):
    message_id: int
    part_id: int
    text: str
    kind: Literal["text.delta"] = "text.delta"


@frozen
class ReasoningDelta(Stamped):
    message_id: int
    part_id: int
    text: str
    kind: Literal["reasoning.delta"] = "reasoning.delta"


@frozen
class MessageAdded(Stamped):
    message: Message
    role: Role
    kind: Literal["message.added"] = "message.added"


@frozen
class ToolStarted(Stamped):
    message_id: int
    part_id: int
    call_id: str
    name: str
    arguments: dict[str, Any]
    title: str
    kind: Literal["tool.started"] = "tool.started"


@frozen
class ToolOutput(Stamped):
    part_id: int
    call_id: str
    text: str
    kind: Literal["tool.output"] = "tool.output"


@frozen
class ToolFinished(Stamped):
    message_id: int
    part_id: int
    call_id: str
    name: str
    status: ToolStatus
    output: str
    duration_ms: int
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    kind: Literal["tool.finished"] = "tool.finished"


@frozen
class TodoChange:
    """What one change did to the list, small enough to show in a line."""

    seq: int
    kind: str
    actor: str
    ids: tuple[int, ...]


@frozen
class TodoUpdated(Stamped):
    todos: tuple[Todo, ...]
    revision: int
    progress: Progress
    change: TodoChange | None = None
    kind: Literal["todo.updated"] = "todo.updated"


@frozen
class ArtifactUpdated(Stamped):
    artifact: Artifact | None
    artifact_id: int
    change: str
    kind: Literal["artifact.updated"] = "artifact.updated"


@frozen
class Choice:
    """An answer a person may give with one key; `text` asks for words to go with it."""

    name: str
    label: str
    key: str = ""
    text: bool = False


@frozen
class QuestionAsked(Stamped):
    """`detail` is what the prompt leaves out, `reason` why it is asked where that is worth saying."""

    question_id: str
    purpose: Literal["permission", "ask_user", "plan", "loop", "confirm"]
    prompt: str
    choices: tuple[Choice, ...]
    detail: str = ""
    tool: str = ""
    diff: str = ""
    call_id: str = ""
    reason: str = ""
    kind: Literal["question.asked"] = "question.asked"


@frozen
class QuestionAnswered(Stamped):
    question_id: str
    choice: str
    text: str = ""
    kind: Literal["question.answered"] = "question.answered"


@frozen
class WakeCountdown(Stamped):
    seconds: float
    wake: int
    max_wakes: int
    kind: Literal["wake.countdown"] = "wake.countdown"


@frozen
class WakeStarted(Stamped):
    wake: int
    max_wakes: int
    kind: Literal["wake.started"] = "wake.started"


@frozen
class RetryWaiting(Stamped):
    """The reply broke off: what came of `message_id` is void and comes again after `seconds`."""

    attempt: int
    seconds: float
    reason: str
    message_id: int = 0
    kind: Literal["retry.waiting"] = "retry.waiting"


@frozen
class ContextPruned(Stamped):
    """Tool outputs left out of the prompt; `context` is what a request takes now."""

    parts: int
    tokens: int
    context: int = 0
    context_limit: int = 0
    kind: Literal["context.pruned"] = "context.pruned"


@frozen
class ContextCompacted(Stamped):
    """`local` when no model wrote the summary; `undone` when it no longer counts. Sizes are tokens."""

    message_id: int
    before: int
    after: int
    automatic: bool
    context_limit: int = 0
    local: bool = False
    undone: bool = False
    kind: Literal["context.compacted"] = "context.compacted"


@frozen
class TaskStarted(Stamped):
    child: str
    agent: str
    title: str
    kind: Literal["task.started"] = "task.started"


@frozen
class TaskProgress(Stamped):
    child: str
    text: str
    calls: int
    kind: Literal["task.progress"] = "task.progress"


@frozen
class TaskFinished(Stamped):
    child: str
    status: Literal["completed", "failed", "interrupted"]
    text: str
    kind: Literal["task.finished"] = "task.finished"


@frozen
class UsageUpdated(Stamped):
    """What one request cost; `context` is what the next one takes at least, of `context_limit` tokens.

    `cost` is None where the price is unknown.
    """

    usage: Usage
    cost: float | None
    context: int
    context_limit: int
    kind: Literal["usage.updated"] = "usage.updated"


@frozen
class Notice(Stamped):
    level: Level
    text: str
    kind: Literal["notice"] = "notice"


@frozen
class Failed(Stamped):
    code: str
    message: str
    hint: str = ""
    kind: Literal["error"] = "error"


Event = (
    SessionStarted
    | SessionStateChanged
    | SessionRewound
    | TurnStarted
    | TurnEnded
    | StepStarted
    | TextDelta
    | ReasoningDelta
    | MessageAdded
    | ToolStarted
    | ToolOutput
    | ToolFinished
    | TodoUpdated
    | ArtifactUpdated
    | QuestionAsked
    | QuestionAnswered
    | WakeCountdown
    | WakeStarted
    | RetryWaiting
    | ContextPruned
    | ContextCompacted
    | TaskStarted
    | TaskProgress
    | TaskFinished
    | UsageUpdated
    | Notice
    | Failed
)


def to_json(event: Event) -> str:
    return _adapter().dump_json(event).decode()


def from_json(text: str | bytes) -> Event:
    return _adapter().validate_json(text)


@cache
def _adapter() -> TypeAdapter[Event]:
    # pydantic costs 90 ms, which the app's first frame must not wait for.
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])
