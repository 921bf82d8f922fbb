"""Models to choose from, each with what is worth knowing before one does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.config.models import Config
from agent.models import catalog
from agent.models.catalog import Prices
from agent.models.choosing import OFFLINE, known_models
from agent.models.local import find_servers, usual
from agent.paths import Paths
from store.frozen import frozen

# Seconds; a server that is there answers in milliseconds.
_GLANCE = 0.2
_MILLION = 1_000_000


@frozen
class ModelOffer:
    name: str
    detail: str


async def local_models(environment: Mapping[str, str]) -> list[ModelOffer]:
    """What the servers on this machine have."""
    servers = await find_servers(usual(environment), limit=_GLANCE)
    return [
        ModelOffer(f"{server.provider}/{model}", f"{server.label} on this machine")
        for server in servers
        for model in server.models
    ]


def model_offers(config: Config, environment: Mapping[str, str], paths: Paths) -> list[ModelOffer]:
    """What the settings name, and the models of providers whose key is there. It reads a large table."""
    return described(known_models(config, environment, paths))


def described(names: Iterable[str]) -> list[ModelOffer]:
    return [ModelOffer(name, _detail(name)) for name in names]


def _detail(name: str) -> str:
    """`200k · $3 / $15 a million`, as far as it is known."""
    if name == OFFLINE:
        return "built in, no LLM"
    entry = catalog.look_up(name)
    prices = entry.prices
    known = "its context" not in entry.note
    parts = [
        f"{entry.context // 1000}k" if known else "",
        _price(prices) if prices else "",
    ]
    return " · ".join(part for part in parts if part)


def _price(prices: Prices) -> str:
    if not prices.input and not prices.output:
        return "free"
    return f"${prices.input * _MILLION:g} / ${prices.output * _MILLION:g} a million"
