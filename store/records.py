"""The nouns of Wakeful: frozen records that every layer passes around and no layer wraps."""

from __future__ import annotations

from typing import Literal

from store.clock import Millis
from store.frozen import frozen

LOCAL = "local"

TodoStatus = Literal["pending", "in_progress", "blocked", "completed", "cancelled"]
Priority = Literal["high", "medium", "low"]
BlockedOn = Literal["human", "todo", "external"]
SessionState = Literal["running", "awaiting_human", "awaiting_approval", "awaiting_agent", "idle", "dormant"]
Role = Literal["user", "assistant"]
Origin = Literal["human", "agent", "todos", "wake", "limit", "command", "continue", "summary", "peer"]
PartKind = Literal["text", "reasoning", "tool", "file", "compaction", "subtask", "retry", "step"]
ToolStatus = Literal["pending", "running", "completed", "failed", "denied", "interrupted"]
ArtifactType = Literal["plan", "code", "document", "config", "data", "other"]
ArtifactStage = Literal["draft", "review", "final"]
SprintStatus = Literal["planned", "active", "review", "complete"]
Verdict = Literal["allow", "ask", "deny"]
FileKind = Literal["absent", "file", "link", "folder", "other"]
StepCause = Literal["edit", "shell", "rewind"]
RewindKind = Literal["rewind", "undo", "redo"]
RewindWhat = Literal["conversation", "files", "both"]


@frozen
class Usage:
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )

    def __sub__(self, other: Usage) -> Usage:
        return Usage(
            self.input - other.input,
            self.output - other.output,
            self.cache_read - other.cache_read,
            self.cache_write - other.cache_write,
            self.reasoning - other.reasoning,
        )

    @property
    def total(self) -> int:
        return self.input + self.cache_read + self.cache_write + self.output


@frozen
class Workspace:
    path: str
    trusted_at: Millis | None
    created_at: Millis


@frozen
class Session:
    id: str
    workspace: str
    parent_id: str | None
    title: str
    state: SessionState
    reason: str
    agent: str
    model: str
    max_cost: float | None
    usage: Usage
    cost: float
    held_at: Millis | None
    wakes: int
    stagnant: int
    activated_at: Millis | None
    activation_tokens: int
    activation_cost: float
    created_at: Millis
    updated_at: Millis


@frozen
class Part:
    """One piece of a message. Its `kind` decides which fields carry a value; `data` is JSON."""

    id: int
    message_id: int
    kind: PartKind
    text: str = ""
    call_id: str | None = None
    tool: str | None = None
    status: ToolStatus | None = None
    input: str | None = None
    output: str | None = None
    data: str | None = None
    started_at: Millis | None = None
    ended_at: Millis | None = None
    pruned_at: Millis | None = None


@frozen
class Message:
    id: int
    session_id: str
    role: Role
    origin: Origin
    agent: str
    model: str
    usage: Usage
    cost: float
    finish: str | None
    created_at: Millis
    ended_at: Millis | None
    parts: tuple[Part, ...] = ()

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if part.kind == "text")


@frozen
class Stretch:
    """The time of a todo that is not part of what it has `Spent` yet; it grows from `since` on."""

    todo_id: int
    milliseconds: int = 0
    since: Millis | None = None


@frozen
class Spent:
    """What went into a todo while it was in progress."""

    milliseconds: int = 0
    tokens: int = 0
    cost: float = 0.0
    calls: int = 0


@frozen
class Todo:
    id: int
    session_id: str | None
    workspace: str
    tenant: str
    parent_id: int | None
    title: str
    notes: str | None
    status: TodoStatus
    blocked_reason: str | None
    blocked_on: BlockedOn | None
    priority: Priority
    depends_on: tuple[int, ...]
    artifact_id: int | None
    sprint_id: int | None
    check: str | None
    position: int
    assignee: str | None
    created_by: str
    completed_by: str | None
    created_at: Millis
    updated_at: Millis
    completed_at: Millis | None
    started_at: Millis | None = None
    archived_at: Millis | None = None
    run_id: int | None = None
    spent: Spent = Spent()


@frozen
class Progress:
    completed: int
    total: int


@frozen
class Artifact:
    id: int
    session_id: str | None
    workspace: str
    title: str
    type: ArtifactType
    stage: ArtifactStage
    version: int
    content: str
    created_by: str
    created_at: Millis
    updated_at: Millis


@frozen
class ArtifactVersion:
    version: int
    content: str
    created_by: str
    created_at: Millis


@frozen
class Sprint:
    id: int
    workspace: str
    name: str
    status: SprintStatus
    created_at: Millis
    updated_at: Millis


@frozen
class Schedule:
    id: int
    session_id: str
    cron: str
    prompt: str
    enabled: int
    fired_at: Millis | None
    created_at: Millis


@frozen
class Grant:
    """A permission answer that outlives its question. No session: always; no workspace: everywhere."""

    id: int
    workspace: str | None
    session_id: str | None
    tool: str
    pattern: str
    verdict: Verdict
    created_at: Millis


@frozen
class Prompt:
    id: int
    workspace: str
    session_id: str | None
    text: str
    created_at: Millis


@frozen
class Change:
    """One row of the outbox. `before` and `after` are JSON; `origin` names the store that wrote it."""

    seq: int
    workspace: str | None
    session_id: str | None
    kind: str
    entity_id: str
    actor: str
    before: str | None
    after: str | None
    undoes: int | None
    origin: str
    created_at: Millis


@frozen
class FileState:
    """What a path leads to. `digest` names the content of a file, or the target of a link."""

    kind: FileKind = "absent"
    mode: int | None = None
    digest: str = ""
    size: int = 0

    def matches(self, other: FileState) -> bool:
        """A mode that nobody noted fits every mode."""
        return (self.kind, self.digest) == (other.kind, other.digest) and (
            None in (self.mode, other.mode) or self.mode == other.mode
        )


@frozen
class FileStep:
    """One change that a session made to one file; `anchor` is the newest message at that time."""

    id: int
    session_id: str
    anchor: int
    cause: StepCause
    path: str
    before: FileState
    after: FileState
    created_at: Millis = 0


@frozen
class Rewind:
    """Going back to before `message_id`; `step_id` is the newest step of any file at that time."""

    id: int
    session_id: str
    kind: RewindKind
    what: RewindWhat
    message_id: int
    step_id: int = 0
    undoes: int | None = None
    created_at: Millis = 0
