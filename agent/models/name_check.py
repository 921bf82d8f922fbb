"""Check of a model's name before it is chosen: a wrong one is refused with the nearest names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agent.models import catalog, keys
from agent.models.choose import SERVED, Settings, find_route
from agent.models.endpoint_models import EndpointModels
from agent.models.protocol import BadRequestError

_NEAREST = 3


async def check_name(name: str, settings: Settings, listings: EndpointModels) -> str:
    """Return a note where the name could not be checked; raise BadRequestError for one that is wrong."""
    provider, slash, rest = name.partition("/")
    if slash and provider not in known_providers(settings):
        hint = _did_you_mean(provider, known_providers(settings), lambda near: f"{near}/{rest}")
        way = hint or f"set providers.{provider}.base_url to its address"
        raise BadRequestError(f"no provider is named {provider!r}; {way}")
    if not catalog.is_unknown(name):
        return ""
    route = find_route(name, settings)
    if route.transport != "direct":
        if slash:
            return ""
        raise _unknown(name, catalog.names(route.provider))
    listing = await listings.ask(route.endpoint)
    if (rest if slash else name) in listing.models:
        return ""
    prefix = f"{route.provider}/"
    if listing.models:
        raise _unknown(name, [f"{prefix}{each}" for each in listing.models])
    if not slash:
        raise _unknown(name, catalog.names(route.provider))
    return f"not checked: {listing.problem}"


def known_providers(settings: Settings) -> frozenset[str]:
    """Those of the settings, of our own tables and of the table that litellm ships."""
    own = (*settings.providers, *SERVED, *keys.VARIABLES, *keys.PLAIN, *catalog.SELF_HOSTED)
    return catalog.providers().union(own)


def _unknown(name: str, names: Iterable[str]) -> BadRequestError:
    hint = _did_you_mean(name, names, str) or "/model lists what there is"
    return BadRequestError(f"no model is named {name!r}; {hint}")


def _did_you_mean(word: str, known: Iterable[str], whole: Callable[[str], str]) -> str:
    # difflib costs 5 ms, which only a wrong name has to pay.
    from difflib import get_close_matches

    bare = {each.partition("/")[2] or each: each for each in sorted(known)}
    # A provider that both have in common says nothing about the rest.
    found = [bare[each] for each in get_close_matches(word.partition("/")[2] or word, bare, _NEAREST, 0.6)]
    return f"did you mean {' or '.join(map(whole, found))}?" if found else ""
