"""Step by step to a model: who runs it, the key for that, and which one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.app import App

from agent.config.edit import EditError
from agent.config.errors import ConfigError
from agent.models import catalog, keys
from agent.models.choosing import OFFLINE, own_endpoints, usable_providers
from agent.models.direct import Endpoint
from agent.models.keys import KeyFileError
from agent.models.local import Known, Offer, find_servers, usual
from agent.models.offers import described
from tui import newcomer
from tui.keeping import keep
from tui.screens.asking import LineScreen, asked
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row
from tui.screens.setup import SetupScreen
from tui.transcript.ink import Ink

if TYPE_CHECKING:
    from tui.stage import Stage

# Seconds that the list waits for servers of this machine, and that they have to come in later.
_GLANCE, _LIMIT = 0.2, 20.0
# Models of a server that its row names.
_NAMED = 2
_ANOTHER_KEY = "another key"


class Provider(NamedTuple):
    """`model` is what those begin with who have a key and no wish."""

    label: str
    known_for: str
    model: str = ""


PROVIDERS = {
    "anthropic": Provider("Anthropic", "Claude", "claude-sonnet-5-5"),
    "openai": Provider("OpenAI", "GPT", "gpt-6.1-sol"),
    "gemini": Provider("Google Gemini", "Gemini", "gemini-pro-latest"),
    "openrouter": Provider("OpenRouter", "models of everybody, with one key"),
    "mistral": Provider("Mistral", "Mistral, Devstral", "devstral-latest"),
    "deepseek": Provider("DeepSeek", "DeepSeek", "deepseek-v4-pro"),
    "groq": Provider("Groq", "open models, fast", "openai/gpt-oss-120b"),
    "xai": Provider("xAI", "Grok", "grok-4.7"),
}


class Setup:
    """One way through it. The `first` of all comes by itself, and gives way to whoever begins to type."""

    def __init__(self, app: App[int], ink: Ink, stage: Stage, *, first: bool = False) -> None:
        self._app, self._ink, self._stage, self._first = app, ink, stage, first
        self._keyed: list[str] = []
        self._endpoints: dict[str, Endpoint] = {}
        self._servers: dict[str, Offer] = {}
        self._looks: list[asyncio.Future[None]] = []
        self._awaited = 0
        self._unwanted = False
        self._list = SetupScreen(ink, self._chose, first=first)

    async def run(self) -> None:
        if self._first:
            # What stands in an empty conversation would look out from behind the list.
            self._stage.hush()
        try:
            await self._look()
        except KeyFileError as error:
            self._stage.say(str(error), "bad")
            return
        if self._first and (self._unwanted or len(self._app.screen_stack) > 1):
            self._stage.greet()
            return
        self._fill()
        model = await asked(self._app, self._list)
        for look in self._looks:
            look.cancel()
        if self._first:
            newcomer.welcome(self._stage.opened.opening.paths.state_folder)
        if model is not None:
            await self._take(model)
        elif self._first:
            self._stage.greet()

    def give_way(self) -> None:
        """Something was typed that was on its way already when the list opened, or before it did."""
        self._unwanted = True
        if self._list.is_current:
            self._list.dismiss(None)

    async def _look(self) -> None:
        """For what is ready to be used; servers that take their time come in later."""
        opened = self._stage.opened
        opening = opened.opening
        servers = usual(opening.environment)
        self._awaited = len(servers)
        self._looks = [self._stage.start(self._find(each)) for each in servers]
        self._keyed = await asyncio.to_thread(
            usable_providers, opened.loaded.config, opening.environment, opening.paths
        )
        self._endpoints = await asyncio.to_thread(
            own_endpoints, opened.loaded.config, opening.environment, opening.paths
        )
        await asyncio.wait(self._looks, timeout=_GLANCE)

    async def _find(self, server: Known) -> None:
        for found in await find_servers([server], limit=_LIMIT):
            self._servers[found.provider] = found
        self._awaited -= 1
        self._fill()

    def _fill(self) -> None:
        servers = list(self._servers.values())
        self._list.fill(
            choices(self._keyed, servers, self._places, first=self._first, looking=self._awaited > 0)
        )

    @property
    def _places(self) -> dict[str, str]:
        return {provider: endpoint.place for provider, endpoint in self._endpoints.items()}

    def _chose(self, value: str) -> None:
        self._stage.start(self._go_on(value))

    async def _go_on(self, chosen: str) -> None:
        """To a model's name; wherever that is given up the list is there again."""
        model = await self._model(chosen)
        if model and self._list.is_current:
            # Whoever has no model chosen yet stays as they are.
            self._list.dismiss(None if self._first and model == OFFLINE else model)

    async def _model(self, chosen: str) -> str | None:
        if chosen == OFFLINE:
            return OFFLINE
        if server := self._servers.get(chosen):
            names = [f"{chosen}/{model}" for model in server.models]
            return names[0] if len(names) == 1 else await self._pick(chosen, names)
        if chosen in self._endpoints:
            return await self._pick(chosen)
        if self._first and chosen in self._keyed and (model := _usual_model(chosen)):
            return f"{chosen}/{model}"
        if chosen not in self._keyed and not await self._key(chosen):
            return None
        while (model := await self._pick(chosen)) == _ANOTHER_KEY:
            await self._key(chosen)
        return model

    async def _pick(self, provider: str, names: Sequence[str] = ()) -> str | None:
        """One of the `names`, or of all that are known of the provider."""
        screen = _Step(self._ink, f"Model of {self._label(provider)}", (), stem=f"{provider}/")

        async def fill() -> None:
            found = names
            if endpoint := self._endpoints.get(provider):
                screen.fill([Row("", f"asking {endpoint.place} for its models …")])
                listing = await self._stage.opened.listings.ask(endpoint, again=True)
                found = [f"{provider}/{model}" for model in listing.models]
                if not found:
                    screen.fill([Row("", f"{listing.problem}; type a name")])
                    return
            screen.fill(await asyncio.to_thread(self._models, provider, found))

        self._stage.start(fill())
        return await asked(self._app, screen)

    def _models(self, provider: str, names: Sequence[str]) -> list[Row]:
        own = self._stage.opened.loaded.config.providers.get(provider)
        configured = [f"{provider}/{model}" for model in own.models] if own else []
        usual_model = [f"{provider}/{_usual_model(provider)}"] if _usual_model(provider) else []
        known = names or dict.fromkeys((*usual_model, *configured, *catalog.names(provider)))
        rows = [
            Row(each.name, each.name.removeprefix(f"{provider}/"), each.detail) for each in described(known)
        ]
        if provider in self._keyed and not names:
            # In sight however many models there are: a key that was refused leads here.
            rows.insert(0, Row(_ANOTHER_KEY, "Another key", "in place of the one that is there", aside=True))
        return rows

    async def _key(self, provider: str) -> bool:
        """False when none was given."""
        file = self._stage.opened.opening.paths.keys

        def check(key: str) -> str:
            try:
                keys.store(file, provider, key)
            except KeyFileError as error:
                return str(error)
            return ""

        placeholder = "paste it here; it is shown to nobody and kept in a file that only you can read"
        line = LineScreen(self._ink, f"Key for {self._label(provider)}", placeholder, check, secret=True)
        given = await asked(self._app, line) is not None
        if given and provider not in self._keyed:
            self._keyed.append(provider)
            self._fill()
        return given

    async def _take(self, model: str) -> None:
        stage = self._stage
        try:
            hidden = await keep(stage.opened, ("model", "default"), model)
        except (ConfigError, EditError) as error:
            stage.say(str(error), "bad")
            return
        if self._first and not hidden:
            await stage.begin_with(model)
        else:
            stage.say(f"new sessions use {model}{f'; {hidden}' if hidden else ''}", "good")
            stage.submit(f"/model {model}")

    def _label(self, provider: str) -> str:
        server = self._servers.get(provider)
        return server.label if server else _label(provider)


class _Step(PickerScreen):
    CLOSE = "goes back"


def choices(
    keyed: Sequence[str],
    servers: Sequence[Offer],
    places: Mapping[str, str],
    *,
    first: bool,
    looking: bool,
) -> list[Row]:
    """What is ready to be used comes first; at a `first` start a key that is there is enough.

    `places` are the addresses that the user set for providers, whose models have to be asked for.
    """
    found = [server.provider for server in servers]
    ready = [
        Row(name, _label(name), _ready(name, places.get(name), first=first))
        for name in keyed
        if name not in found
    ]
    here = [Row(each.provider, each.label, f"on this machine: {_few(each.models)}") for each in servers]
    others = [(name, each) for name, each in PROVIDERS.items() if name not in keyed]
    return [
        Row("", "Ready now; looking for model servers on this machine …" if looking else "Ready now"),
        *ready,
        *here,
        Row(OFFLINE, "Try offline", "the built-in planner: no LLM, no key, no network"),
        Row("", ""),
        Row("", "With a key, which is asked for"),
        *(Row(name, each.label, each.known_for) for name, each in others),
    ]


def _ready(provider: str, place: str | None, *, first: bool) -> str:
    if place:
        return f"at {place}"
    model = _usual_model(provider) if first else ""
    return f"key found · {model}" if model else "key found"


def _label(provider: str) -> str:
    return PROVIDERS[provider].label if provider in PROVIDERS else provider


def _usual_model(provider: str) -> str:
    return PROVIDERS[provider].model if provider in PROVIDERS else ""


def _few(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
