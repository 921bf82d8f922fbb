"""From the user's settings to a model that is ready: what was named, or the offline one, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from agent.config.models import Config
from agent.models import catalog, keys
from agent.models.choose import ProviderSettings, Settings, choose, usable
from agent.models.choose import own_endpoints as choose_endpoints
from agent.models.direct import Endpoint
from agent.models.endpoint_models import EndpointModels
from agent.models.hosted import Host, Hosted
from agent.models.protocol import Model
from agent.paths import Paths
from store.frozen import frozen

OFFLINE = "offline"


@frozen
class Chosen:
    """`start` returns at once; `close` ends whatever was started."""

    name: str
    model: Model
    notices: tuple[str, ...] = ()
    host: Host | None = None
    # False for the offline one where nothing else was asked for.
    named: bool = True

    async def start(self) -> None:
        """What takes seconds to load may load meanwhile."""
        if self.host is not None:
            await self.host.start()

    async def close(self) -> None:
        await self.model.close()
        if self.host is not None:
            await self.host.close()


def choose_model(name: str | None, config: Config, environment: Mapping[str, str], paths: Paths) -> Chosen:
    """Without a name the offline model is used and says so; nothing else is ever chosen silently."""
    if name is None or name == OFFLINE:
        from agent.models.offline import Offline

        notices = () if name else (_unset(_settings(config, environment, paths)),)
        return Chosen(OFFLINE, Offline(), notices, named=name is not None)
    settings = _settings(config, environment, paths)
    host = Host(environment)
    model = choose(name, settings, lambda: host)
    return Chosen(name, model, host=host if isinstance(model, Hosted) else None)


def _settings(config: Config, environment: Mapping[str, str], paths: Paths) -> Settings:
    own = {
        name: ProviderSettings(provider.base_url, provider.key_env, provider.transport)
        for name, provider in config.providers.items()
    }
    return Settings(environment, keys.read(paths.keys), own, config.model.transport)


def _unset(settings: Settings) -> str:
    there = usable(settings)
    if there:
        return (
            f"no model is set, so the built-in offline one is used; a key for {', '.join(there)} is there: "
            f"`wakeful config set model.default {there[0]}/NAME`"
        )
    return (
        "no model is set, so the built-in offline one is used; to change that: "
        "`wakeful config set model.default PROVIDER/NAME` and `wakeful config set-key PROVIDER`"
    )


def usable_providers(config: Config, environment: Mapping[str, str], paths: Paths) -> list[str]:
    """Those a key or an address is there for."""
    return usable(_settings(config, environment, paths))


def own_endpoints(config: Config, environment: Mapping[str, str], paths: Paths) -> dict[str, Endpoint]:
    """The endpoints whose address the user set, by provider: they are asked which models they have."""
    return choose_endpoints(_settings(config, environment, paths))


async def check_model(
    name: str,
    config: Config,
    environment: Mapping[str, str],
    paths: Paths,
    listings: EndpointModels,
) -> str:
    """Return a note where the name could not be checked; raise ModelError for one that is wrong."""
    if name == OFFLINE:
        return ""
    # Only who names a model by hand needs it.
    from agent.models.name_check import check_name

    return await check_name(name, await asyncio.to_thread(_settings, config, environment, paths), listings)


def known_models(config: Config, environment: Mapping[str, str], paths: Paths) -> list[str]:
    """What can be offered: what the settings name, then the models of providers whose key is there.

    Endpoints at an address of the user's own have other models than the table knows; they have to be asked.
    """
    named = [config.model.default, config.model.small, *(each.model for each in config.agents.values())]
    own = [f"{name}/{model}" for name, provider in config.providers.items() for model in provider.models]
    settings = _settings(config, environment, paths)
    asked = choose_endpoints(settings)
    listed = [
        name for provider in usable(settings) if provider not in asked for name in catalog.names(provider)
    ]
    return list(dict.fromkeys([*(name for name in named if name), *own, *listed, OFFLINE]))
