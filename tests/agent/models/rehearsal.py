"""A tiny loop that lets the offline model drive the real tools, and a todo list in every dialect."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent.models.assemble import Call, assemble
from agent.models.offline import Offline
from agent.models.protocol import CallDelta, ChatMessage, Chunk, Finish, Request, Text, ToolSpec
from agent.models.spoken import extract
from agent.todos.context import TodoContext
from agent.todos.dialects import writ
from agent.todos.dialects.registry import tools
from agent.todos.texts import guidance, wake_message
from agent.tools import registry
from agent.tools.local import LocalWorkspace
from agent.tools.tool import ToolError
from store.records import Usage

STEPS = 40

_FIELDS = {
    "todo_add": ("items",),
    "todo_update": ("id", "status", "blocked_reason", "reason"),
    "todo_complete": ("id",),
    "todo_list": (),
    "todo_write": ("items",),
    "todowrite": ("todos",),
    "todoread": (),
    "task_create": ("items",),
    "task_update": ("id", "status"),
}
DIALECTS: dict[str, tuple[str, ...]] = {
    "standard": ("todo_add", "todo_update", "todo_complete", "todo_list"),
    "skills": ("todo_write", "todo_list", "todo_update"),
    "list": ("todowrite", "todoread"),
    "tasks": ("task_create", "task_update"),
    "writ": (),
    "none": (),
}


@dataclass
class Row:
    id: int
    title: str
    status: str = "pending"
    reason: str = ""


@dataclass
class TodoList:
    """Speaks one dialect, strictly: unknown ids, words and arguments are refused."""

    dialect: str
    rows: list[Row] = field(default_factory=list[Row])
    history: list[str] = field(default_factory=list[str])
    may_complete: bool = True
    next_id: int = 14
    seen: set[int] = field(default_factory=set[int])

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(
            ToolSpec(name, name, {"type": "object", "properties": {key: {} for key in _FIELDS[name]}})
            for name in DIALECTS[self.dialect]
        )

    def add(self, title: str) -> Row:
        row = Row(self.next_id, title)
        self.next_id += 1
        self.rows.append(row)
        self.history.append(f"add {title}")
        return row

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        if unknown := set(arguments) - set(_FIELDS[name]):
            return f"Error: {name} has no argument {unknown}"
        try:
            return self._call(name, arguments)
        except KeyError as error:
            return f"Error: no todo {error}; there are {[row.id for row in self.rows]}"
        except ValueError as error:
            return f"Error: {error}"

    @property
    def guidance(self) -> str:
        return "Plan with lines such as /todo add TITLE" if self.dialect == "writ" else "Be calm."

    async def answer(self, reply: str) -> str | None:
        lines = [line for line in reply.splitlines() if line.startswith("/todo ")]
        return "\n".join(map(self.line, lines)) if self.dialect == "writ" and lines else None

    def line(self, line: str) -> str:
        _, verb, rest = line.split(" ", 2) if line.count(" ") > 1 else (*line.split(" "), "")
        head, _, tail = rest.partition(":")
        words = {"start": "in_progress", "done": "completed", "cancel": "cancelled", "block": "blocked"}
        result = "OK"
        try:
            if verb == "add":
                result = f"added #{self.add(rest).id}"
            elif verb in words:
                self.set(int(head), words[verb], tail.strip())
        except (KeyError, ValueError) as error:
            result = f"ERR: {error}"
        return f"[{line}]\n{result}\n{self.shown()}\n[END TODO]"

    def set(self, number: int, status: str, reason: str = "") -> None:
        row = next((row for row in self.rows if row.id == number), None)
        if row is None:
            raise KeyError(number)
        if status == "completed" and not self.may_complete:
            raise ValueError("readonly access may not complete todos")
        if status == "blocked" and not reason and self.dialect not in ("list", "tasks"):
            raise ValueError("blocked needs a reason")
        if row.status != status:
            self.history.append(f"{status} {row.title}")
        row.status, row.reason = status, reason

    def nudge(self) -> str:
        return f"You still have open todos; go on with them.\n{self.shown()}"

    def shown(self) -> str:
        open_rows = [row for row in self.rows if row.status not in ("completed", "cancelled")]
        lines = [
            f"{'▶ ' if row.status == 'in_progress' else ''}#{row.id} [{row.status}] {row.title}"
            for row in open_rows
        ]
        return "\n".join([f"{len(self.rows) - len(open_rows)}/{len(self.rows)} done. Still open:", *lines])

    def _call(self, name: str, arguments: Mapping[str, Any]) -> str:
        match name:
            case "todo_add":
                for item in arguments["items"]:
                    self.add(item["title"])
            case "todo_write" | "task_create":
                for item in arguments["items"]:
                    self.add(item)
            case "todo_update" | "task_update":
                reason = arguments.get("blocked_reason", arguments.get("reason", ""))
                status = "completed" if arguments["status"] == "done" else arguments["status"]
                self.set(arguments["id"], status, reason)
            case "todo_complete":
                self.set(arguments["id"], "completed")
            case "todowrite":
                return self._rewrite(arguments["todos"])
            case _:
                pass
        return self.shown()

    def _rewrite(self, todos: list[dict[str, str]]) -> str:
        kept = {int(todo["id"]) for todo in todos if "id" in todo}
        for row in self.rows:
            if row.id in self.seen - kept and row.status != "completed":
                self.set(row.id, "cancelled")
        for todo in todos:
            number = int(todo["id"]) if "id" in todo else self.add(todo["content"]).id
            self.set(number, todo["status"])
        self.seen = {row.id for row in self.rows}
        rows = [{"id": str(row.id), "content": row.title, "status": row.status} for row in self.rows]
        return json.dumps(rows, indent=2)


class Todos(Protocol):
    @property
    def dialect(self) -> str: ...
    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...
    async def call(self, name: str, arguments: Mapping[str, Any]) -> str: ...
    @property
    def guidance(self) -> str: ...
    async def answer(self, reply: str) -> str | None: ...
    def nudge(self) -> str: ...


@dataclass
class RealTodos:
    """The service itself, behind the tools or the text lines of a dialect."""

    context: TodoContext
    dialect: str = "standard"

    @property
    def guidance(self) -> str:
        return guidance(self.dialect, self.context.actor.access)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(map(registry.spec, tools(self.dialect, self.context.actor.access)))

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        try:
            tool = registry.find(tools(self.dialect), name)
            checked = registry.validate(tool, json.dumps(arguments))
            return (await registry.call(tool, self.context, checked)).text
        except ToolError as error:
            return f"Error: {error}"

    async def answer(self, reply: str) -> str | None:
        return await writ.answer(self.context, reply) if self.dialect == "writ" else None

    def nudge(self) -> str:
        return wake_message(self.context.service.snapshot.todos, self.dialect)


@dataclass
class Rehearsal:
    """One conversation. `deny` gives the text of a refusal for a call; `after` runs between two steps."""

    workspace: LocalWorkspace
    todos: Todos
    deny: Callable[[Call], str | None] = lambda _: None
    after: Callable[[int], None] = lambda _: None
    without: tuple[str, ...] = ()
    messages: list[ChatMessage] = field(default_factory=list[ChatMessage])
    calls: list[Call] = field(default_factory=list[Call])
    steps: int = 0

    def __post_init__(self) -> None:
        self.messages.append({"role": "system", "content": self.todos.guidance})

    @property
    def request(self) -> Request:
        tools = tuple(registry.spec(tool) for tool in registry.DEFAULTS if tool.name not in self.without)
        return Request("offline", tuple(self.messages), (*tools, *self.todos.specs))

    async def ask(self, text: str) -> str:
        """The last text of the turn that this message starts."""
        self.messages.append({"role": "user", "content": text})
        for _ in range(STEPS):
            self.steps += 1
            text, calls = await self.step()
            self.after(self.steps)
            answer = await self.todos.answer(text)
            if not calls and answer is None:
                return text
            if answer is not None:
                self.messages.append({"role": "user", "content": answer})
        raise AssertionError(f"no end after {STEPS} steps: {self.calls[-4:]}")

    async def wake(self) -> str:
        return await self.ask(self.todos.nudge())

    async def step(self) -> tuple[str, tuple[Call, ...]]:
        chunks = await self.stream()
        text = "".join(chunk.text for chunk in chunks if isinstance(chunk, Text))
        deltas = [chunk for chunk in chunks if isinstance(chunk, CallDelta)]
        calls = assemble(deltas, {call.id for call in self.calls})
        assert chunks[-1] == Finish("tool_calls" if calls else "stop", Usage())
        assert extract(text, [tool.name for tool in self.request.tools])[1] == ()
        self.calls += calls
        reply: ChatMessage = {"role": "assistant", "content": text or None}
        if calls:
            reply["tool_calls"] = [call.as_chat() for call in calls]
        self.messages.append(reply)
        for call in calls:
            result = await self._run(call)
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
        return text, calls

    async def stream(self) -> list[Chunk]:
        async with aclosing(Offline().stream(self.request)) as chunks:
            return [chunk async for chunk in chunks]

    async def _run(self, call: Call) -> str:
        assert call.name not in self.without
        if refusal := self.deny(call):
            return refusal
        if call.name in _FIELDS:
            return await self.todos.call(call.name, call.input or {})
        try:
            tool = registry.find(registry.DEFAULTS, call.name)
            output = await registry.call(tool, self.workspace, registry.validate(tool, call.arguments))
        except ToolError as error:
            return f"Error: {error}"
        return output.text
