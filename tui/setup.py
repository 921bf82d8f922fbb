"""Step by step to a model: who runs it, the key for that, and which one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import App

from agent.config.edit import EditError
from agent.config.errors import ConfigError
from agent.models import catalog, keys
from agent.models.choosing import OFFLINE, usable_providers
from agent.models.keys import KeyFileError
from agent.models.offers import ModelOffer, described, local_models
from tui.keeping import keep
from tui.screens.asking import LineScreen, asked
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row
from tui.transcript.ink import Ink

if TYPE_CHECKING:
    from tui.stage import Stage

PROVIDERS = {
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "gemini": "Google Gemini",
    "openrouter": "OpenRouter",
    "mistral": "Mistral",
    "deepseek": "DeepSeek",
    "groq": "Groq",
    "xai": "xAI",
}


async def set_up(app: App[int], ink: Ink, stage: Stage) -> None:
    opening, config = stage.opened.opening, stage.opened.loaded.config
    here = await local_models(opening.environment)
    there = await asyncio.to_thread(usable_providers, config, opening.environment, opening.paths)
    rows = _choices(here, there)
    chosen = await asked(app, PickerScreen(ink, "Which model shall work for you?", rows, stem=""))
    if chosen is None:
        return
    if chosen == OFFLINE or "/" in chosen:
        await _take(stage, chosen)
        return
    if chosen not in there and not await _key(app, ink, stage, chosen):
        return
    offers = await asyncio.to_thread(lambda: described(catalog.names(chosen)))
    rows = [Row(each.name, each.name.removeprefix(f"{chosen}/"), each.detail) for each in offers]
    model = await asked(app, PickerScreen(ink, f"Model of {_label(chosen)}", rows, stem=f"{chosen}/"))
    if model is not None:
        await _take(stage, model)


def _choices(here: Sequence[ModelOffer], there: Sequence[str]) -> list[Row]:
    """What is ready to be used first."""
    ready = [Row(each.name, each.name.partition("/")[2], each.detail) for each in here]
    keyed = [Row(name, _label(name), "its key is there") for name in there]
    others = [Row(name, label, "asks for a key") for name, label in PROVIDERS.items() if name not in there]
    return [*ready, *keyed, *others, Row(OFFLINE, "Stay offline", "the built-in planner: no LLM, no network")]


async def _key(app: App[int], ink: Ink, stage: Stage, provider: str) -> bool:
    """False when none was given."""
    file = stage.opened.opening.paths.keys

    def check(key: str) -> str:
        try:
            keys.store(file, provider, key)
        except KeyFileError as error:
            return str(error)
        return ""

    placeholder = "paste it here; it is shown to nobody and kept in a file that only you can read"
    title = f"Key for {_label(provider)}"
    return await asked(app, LineScreen(ink, title, placeholder, check, secret=True)) is not None


async def _take(stage: Stage, model: str) -> None:
    try:
        hidden = await keep(stage.opened, ("model", "default"), model)
    except (ConfigError, EditError) as error:
        stage.say(str(error), "bad")
        return
    stage.say(f"new sessions use {model}{f'; {hidden}' if hidden else ''}", "good")
    stage.submit(f"/model {model}")


def _label(provider: str) -> str:
    return PROVIDERS.get(provider, provider)
