"""Opens a session for a door, and gives everything back when the door is done with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field

from agent import interruption
from agent.agents.load import Agent, pick
from agent.assembly import assemble
from agent.config.load import Loaded
from agent.gate import Gate
from agent.ground import Opening, OpeningError, lay_ground, preferred_model
from agent.models import last_model
from agent.models.choosing import Chosen
from agent.models.endpoint_models import EndpointModels
from agent.paths import Paths
from agent.rewind.cleanup import sweep
from agent.session import Session
from agent.todos.cleanup import clean_up
from agent.workshop import Workshop
from store import sessions
from store.database import Store, open_store
from store.errors import StoreError
from store.frozen import frozen

__all__ = ["Opened", "Opening", "OpeningError", "open_session"]

log = logging.getLogger(__name__)


@frozen
class Opened:
    session: Session
    store: Store
    loaded: Loaded
    gate: Gate
    notices: tuple[str, ...]
    opening: Opening
    agents: Mapping[str, Agent]
    trusted: bool
    wishes: tuple[str, ...]
    workshop: Workshop
    choose: Callable[[str | None], Chosen]
    listings: EndpointModels = field(default_factory=EndpointModels)

    @property
    def model_name(self) -> str:
        return self.session.journal.model

    async def switch(self, *, model: str | None = None, agent: str | None = None) -> None:
        """From the next turn on; one that is running ends as it began."""
        shop = self.workshop
        if agent is not None:
            shop.agent = pick(self.agents, agent)
            model = model or preferred_model(self.loaded.config, shop.agent)
        if model not in (None, shop.chosen.name):
            shop.chosen = self.choose(model)
            if agent is None and self.opening.attended and self.opening.model is None:
                last_model.save(self.opening.paths.state_folder, shop.chosen.name)
        await self.store.write(
            sessions.switch, self.session.id, agent=shop.agent.name, model=shop.chosen.name
        )
        self.session.between_turns(shop.equip)

    async def leave(self) -> None:
        """A session that was only looked at leaves nothing behind that `-c` would take for the last one."""
        await self.store.write(sessions.drop_untouched, self.session.id)


@asynccontextmanager
async def open_session(opening: Opening) -> AsyncGenerator[Opened, None]:
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(opening.paths.database))
        ground = await lay_ground(opening, store, stack)
        shop = await assemble(ground)
        stack.push_async_callback(shop.workspace.close)
        if shop.rewinds.ledger:
            stack.callback(shop.rewinds.ledger.close)
        days = ground.config.cleanup
        cleaning = asyncio.create_task(
            _clean_up(store, opening.paths, days.stale_days, days.inactive_days), name="clean up"
        )
        stack.push_async_callback(asyncio.wait, [cleaning])
        cut_off = await interruption.settled(store, ground.record, shop.session.journal)
        notices = (*ground.notices, *shop.sandbox_notices, *cut_off)
        await shop.session.resume()
        yield Opened(
            shop.session,
            store,
            ground.loaded,
            shop.gate,
            notices,
            opening,
            ground.agents,
            ground.trusted,
            ground.wishes,
            shop,
            ground.choose,
        )


async def _clean_up(store: Store, paths: Paths, stale_days: int, inactive_days: int) -> None:
    try:
        await clean_up(store, stale_days=stale_days, inactive_days=inactive_days)
        await sweep(store, paths)
    except (StoreError, OSError):
        # All of it can wait for a better day; whoever works now meets the same fault and is told.
        log.exception("what is old could not be put away")
