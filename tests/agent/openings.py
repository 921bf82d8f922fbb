"""Sessions on real files with a scripted model, for tests of everything above the store."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from agent.events import Event
from agent.models.scripted import Scripted
from agent.opening import Opened, Opening, open_session
from agent.paths import Paths
from agent.rounds import Outcome
from store import sessions


@dataclass
class Stage:
    opened: Opened
    model: Scripted
    events: list[Event]

    async def ask(self, text: str) -> Outcome:
        """Send a message, let the session work until it would need the user, and collect its events."""
        session = self.opened.session
        with session.subscribe() as subscription:
            await session.send(text)
            outcome = await session.run(until_idle=True)
            subscription.push(None)
            self.events += [event async for event in subscription]
        return outcome

    async def kill(self) -> None:
        """Leave the stored state as a killed process does: at work."""
        opened = self.opened
        await opened.store.write(sessions.set_state, opened.session.id, "running", "working")

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


def opening(tmp_path: Path, **changes: object) -> Opening:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir(exist_ok=True)
    environment = {"WAKEFUL_HOME": str(home), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    plain = Opening(Paths.from_environment(environment), environment, project, attended=False)
    return replace(plain, **changes)  # type: ignore[arg-type]  # a test names fields of Opening


@asynccontextmanager
async def stage(tmp_path: Path, model: Scripted, **changes: object) -> AsyncGenerator[Stage, None]:
    async with open_session(opening(tmp_path, model=model, **changes)) as opened:
        yield Stage(opened, model, [])
