"""Calls a todo tool the way the loop does: JSON text in, checked arguments, an output out."""

from __future__ import annotations

import json

from agent.todos.actors import Actor
from agent.todos.context import TodoContext
from agent.todos.dialects.registry import tools
from agent.todos.service import TodoService
from agent.tools import registry
from agent.tools.tool import Output
from tests.agent.todos.conftest import AGENT


class Caller:
    def __init__(
        self, service: TodoService, dialect: str = "standard", actor: Actor = AGENT, run_id: int | None = None
    ) -> None:
        self.context = TodoContext(service, actor, run_id)
        # All tools, whatever the level: refusing must not depend on what is offered.
        self.tools = tools(dialect)

    async def output(self, name: str, **arguments: object) -> Output:
        tool = registry.find(self.tools, name)
        checked = registry.validate(tool, json.dumps(arguments))
        assert tool.title(checked)
        return await registry.call(tool, self.context, checked)

    async def __call__(self, name: str, **arguments: object) -> str:
        return (await self.output(name, **arguments)).text
