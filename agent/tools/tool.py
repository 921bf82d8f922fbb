"""What a tool is: an async function on a workspace, its description beside it, and what it touches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Literal, Protocol

from store.frozen import frozen

Access = Literal["read", "edit", "shell", "fetch", "none"]


class Rare:
    """Marks a parameter that the definition leaves out; the tool's guide tells of it on first use."""


class ToolError(Exception):
    """Goes back to the model as the tool's output: says what was wrong and what to try instead."""


@frozen
class Attachment:
    media_type: str
    data: bytes
    name: str


@frozen
class Output:
    """A tool may return plain text; this is for those with more to show than the model reads."""

    text: str
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    attachments: tuple[Attachment, ...] = ()


@frozen
class Finished:
    """How a command ended; `code` is None when it was killed by the time limit.

    `note` says what the sandbox had to do with it.
    """

    code: int | None
    output: str
    log: Path | None = None
    note: str = ""


@frozen
class Change:
    """One file before and after; None means it does not exist. What is on disk must still be `before`."""

    path: Path
    before: bytes | None
    after: bytes | None


@frozen
class Target:
    """One thing a call wants to touch; the permission policy is asked about each of them.

    `private` marks an address that is not on the public internet: a person is asked about it even where
    a rule allows the URL. `manner` says how a command runs, where that is worth saying.
    """

    access: Access
    subject: str
    private: bool = False
    manner: str = ""


@frozen
class Job:
    """A command in the background; `code` is None while it runs."""

    id: int
    command: str
    code: int | None
    seconds: float


class Jobs(Protocol):
    async def start(self, command: str) -> Job: ...
    def list(self) -> tuple[Job, ...]: ...
    def output(self, job: int) -> Finished:
        """What it printed so far; `code` is None while it runs."""
        ...

    async def kill(self, job: int) -> Job: ...


class Workspace(Protocol):
    """The world a tool acts on, so that a sandbox or an editor's buffers can stand behind it.

    Paths are given as the model wrote them; `resolve` follows symlinks and refuses what may not be touched.
    """

    @property
    def root(self) -> Path: ...

    @property
    def jobs(self) -> Jobs: ...

    def resolve(self, path: str, *, writing: bool = False) -> Path: ...

    async def read(self, path: Path, *, shown: bool = False) -> bytes:
        """`shown` says that the model gets to see the content, so that it may overwrite it."""
        ...

    def known(self, path: Path) -> bool:
        """Whether the model was shown this file, or wrote it."""
        ...

    async def apply(self, changes: Sequence[Change]) -> None:
        """All of them or none; raises ToolError when a file is not what the model saw."""
        ...

    async def run(
        self, command: str, *, timeout: float, emit: Callable[[str], None] | None = None
    ) -> Finished: ...

    def keep(self, text: str) -> Path:
        """Put a text too long to return into a file that `read` may open."""
        ...

    def emit(self, text: str) -> None:
        """Show live output of the running call."""
        ...

    async def ask(self, question: str, choices: tuple[str, ...]) -> str: ...

    async def permit(self, target: Target) -> None:
        """For what a call finds out on its way, such as a redirect; raises ToolError when refused."""
        ...


@frozen
class Tool:
    """`targets` reads validated arguments; `safe` tools change nothing and may run beside each other.

    `on` says what the function takes first: the workspace, the todo list or the artifacts. `page` names the
    `.md` of the description where that is not the tool's own name. What a `rehearsable` one would change is
    found out by running it on a workspace that applies nothing. `guide` names the `.md` that follows the
    first result of a tool with that guide.
    """

    name: str
    function: Callable[..., Awaitable[str | Output]]
    targets: Callable[[Mapping[str, Any]], tuple[Target, ...]]
    title: Callable[[Mapping[str, Any]], str]
    safe: bool = False
    on: Literal["workspace", "todos", "artifacts"] = "workspace"
    page: str = ""
    rehearsable: bool = False
    guide: str = ""
