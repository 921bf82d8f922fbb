"""Models that an endpoint lists: asked once while a session is open, within seconds."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from agent.models.direct import Direct, Endpoint
from agent.models.protocol import ModelError
from store.frozen import frozen

# Seconds; nobody waits longer for a list than for a key to be pressed.
LIMIT = 3.0


@frozen
class Listing:
    """`models` are names as the endpoint gives them; `problem` says why there are none."""

    place: str
    models: tuple[str, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class EndpointModels:
    """Remembers every answer; a failed one is asked again where the user asks for it."""

    limit: float = LIMIT
    _known: dict[tuple[str, str], Listing] = field(default_factory=dict[tuple[str, str], Listing])
    _locks: dict[tuple[str, str], asyncio.Lock] = field(default_factory=dict[tuple[str, str], asyncio.Lock])

    def known(self, endpoint: Endpoint) -> Listing | None:
        return self._known.get(_name(endpoint))

    async def ask(self, endpoint: Endpoint, *, again: bool = False) -> Listing:
        """With `again` an endpoint that failed before is asked once more."""
        name = _name(endpoint)
        async with self._locks.setdefault(name, asyncio.Lock()):
            found = self._known.get(name)
            if found is None or (again and found.problem):
                self._known[name] = found = await self._listed(endpoint)
        return found

    async def _listed(self, endpoint: Endpoint) -> Listing:
        model = Direct(endpoint)
        try:
            async with asyncio.timeout(self.limit):
                names = await model.models()
        except TimeoutError:
            return Listing(endpoint.place, problem=f"{endpoint.place} did not answer in {self.limit:g} s")
        except ModelError as error:
            return Listing(endpoint.place, problem=str(error).partition("; ")[0])
        finally:
            await model.close()
        problem = "" if names else f"{endpoint.place} lists no models"
        return Listing(endpoint.place, names, problem)


def _name(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.base_url, endpoint.key or ""
