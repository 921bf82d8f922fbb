"""What a tool is: an async function on a workspace, its description beside it, and what it touches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

Access = Literal["read", "edit", "shell", "fetch", "none"]


class ToolError(Exception):
    """Goes back to the model as the tool's output: says what was wrong and what to try instead."""


@dataclass(frozen=True, slots=True)
class Attachment:
    media_type: str
    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Output:
    """A tool may return plain text; this is for those with more to show than the model reads."""

    text: str
    title: str = ""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended; `code` is None when it was killed by the time limit."""

    code: int | None
    output: str
    log: Path | None = None


class Workspace(Protocol):
    """The world a tool acts on, so that a sandbox or an editor's buffers can stand behind it.

    Paths are given as the model wrote them; `resolve` follows symlinks and refuses what may not be touched.
    """

    root: Path

    def resolve(self, path: str, *, writing: bool = False) -> Path: ...
    async def read(self, path: Path) -> bytes: ...
    async def write(self, path: Path, data: bytes) -> None: ...
    async def run(
        self, command: str, *, timeout: float, emit: Callable[[str], None] | None = None
    ) -> Finished: ...


@dataclass(frozen=True, slots=True)
class Target:
    """One thing a call wants to touch; the permission policy is asked about each of them."""

    access: Access
    subject: str


@dataclass(frozen=True, slots=True)
class Tool:
    """`targets` reads validated arguments; `safe` tools change nothing and may run beside each other."""

    name: str
    function: Callable[..., Awaitable[str | Output]]
    targets: Callable[[Mapping[str, Any]], tuple[Target, ...]]
    title: Callable[[Mapping[str, Any]], str]
    safe: bool = False
