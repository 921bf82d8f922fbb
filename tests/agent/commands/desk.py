"""A session to type commands into."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from agent.commands.builtin import context_for
from agent.commands.completion import complete
from agent.commands.execution import execute
from agent.commands.registry import Completion, Context
from agent.commands.results import Result
from agent.commands.text import as_text
from agent.models.scripted import Scripted
from tests.agent.openings import Stage, stage


@dataclass
class Desk:
    stage: Stage
    context: Context

    def learn(self) -> None:
        """Find the commands again: the user may have written one."""
        self.context = context_for(self.stage.opened)

    async def type(self, line: str) -> Result:
        return await execute(self.context, line)

    async def read(self, line: str) -> str:
        return as_text(await self.type(line))

    async def complete(self, line: str) -> list[Completion]:
        return await complete(self.context, line, len(line))

    async def offered(self, line: str) -> list[str]:
        return [each.text for each in await self.complete(line)]


@asynccontextmanager
async def desk(
    tmp_path: Path, model: Scripted | None = None, **changes: object
) -> AsyncGenerator[Desk, None]:
    async with stage(tmp_path, model or Scripted([]), **changes) as opened:
        yield Desk(opened, context_for(opened.opened))
