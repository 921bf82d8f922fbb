"""What the app has screens for; other doors say what there is instead."""

from __future__ import annotations

from typing import Annotated

from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Result, Show, Table, Text
from agent.config.edit import format_key
from agent.config.load import values
from agent.config.written import as_written


async def _themes(context: Context, typed: str) -> list[Completion]:
    del typed
    return [Completion(each, each) for each in context.words("theme")]


THEME = Kind("THEME", complete=_themes)


async def _theme(context: Context, name: Annotated[str, THEME] = "") -> Result:
    del context
    instead = f"only the app has themes; wakeful config set ui.theme {name or 'NAME'} sets one"
    return Show("theme", name, Text(instead))


async def _keys(context: Context) -> Result:
    del context
    return Show("keys", "", Text("docs/keys.md lists the keys of the app; the REPL has those of a shell"))


async def _setup(context: Context) -> Result:
    del context
    steps = (
        "wakeful config set-key PROVIDER stores a key, wakeful config set model.default PROVIDER/NAME a model"
    )
    return Show("setup", "", Text(steps))


async def _settings(context: Context) -> Result:
    rows = tuple(
        (format_key(path), as_written(value), origin) for path, value, origin in values(context.opened.loaded)
    )
    note = "wakeful config set KEY VALUE changes one"
    return Show("settings", "", Table(("setting", "value", "from"), rows, note))


COMMANDS = (
    command("setup", "Choose a provider, its key and a model, step by step", _setup),
    command("theme", "Choose the colours of the screen, and see them at once", _theme),
    command("settings", "Show all settings, and change them", _settings),
    command("keys", "Show all keys, and change them", _keys),
)
