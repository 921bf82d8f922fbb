"""Writes docs/settings.md from the models: `python -m agent.config.reference > docs/settings.md`."""

from __future__ import annotations

import sys
from typing import cast

from agent.config.areas import parts
from agent.config.edit import Value, format_value
from agent.config.models import Config
from agent.config.settings import NAME, Setting, all_settings

INTRODUCTION = f"""\
# Settings

This page is generated: `python -m agent.config.reference > docs/settings.md` writes it again.

A setting has a dotted key. Its value comes from the last of these layers that names it:

1. the default below
2. your `~/.config/wakeful/config.toml` (`wakeful config path` says where)
3. `.wakeful/config.toml` of a folder you trust
4. the variable beside it
5. `--set KEY=VALUE` on the command line, which every command takes

`wakeful config` shows each value and its layer; `wakeful config set KEY VALUE` writes to your file and keeps
your comments. A key or value that does not exist is an error that names file, line and the nearest right one.

Two variables are no settings. `WAKEFUL_HOME` moves everything Wakeful keeps below one folder.
`WAKEFUL_INSTANT=0` (or `false`, `no`, `off`) starts the app without the prompt that is drawn before the rest
has loaded, before any file is read; `ui.instant` is the setting for it.

In a variable or flag a value is written as in TOML, or as bare text. `none` switches off what may be absent.
{NAME} stands for a name you choose. Settings marked *yours* are ignored, with a notice, when a project sets
them; so are its `allow` rules. Those marked *agreed* take a project's value once you agreed to it:
`/trust models`, or `wakeful trust --models`.
"""


def write() -> str:
    groups: dict[str, list[Setting]] = {}
    for setting in all_settings():
        groups.setdefault(setting.path[0], []).append(setting)
    sections = [_section(name, settings) for name, settings in groups.items()]
    return "\n".join([INTRODUCTION, *sections])


def _section(name: str, settings: list[Setting]) -> str:
    about = next(part.description for part in parts(Config) if part.name == name)
    rows = "\n".join(_row(setting) for setting in settings)
    heading = "| key and variable | value | default | what it does |\n|---|---|---|---|"
    return f"## {name}\n\n{about}\n\n{heading}\n{rows}\n"


def _row(setting: Setting) -> str:
    variable = f"<br>`{setting.variable}`" if setting.variable else ""
    words = (f"`{word}`" for word in setting.choices)
    expected = ", ".join(words) if setting.choices else setting.expected
    mark = " *yours*" if setting.user_only else " *agreed*" if setting.consented else ""
    cells = [f"`{setting.key}`{variable}", expected, _default(setting), setting.description + mark]
    escaped = [cell.replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"


def _default(setting: Setting) -> str:
    if setting.default is None:
        return "none"
    value = (
        list(cast("tuple[Value]", setting.default)) if isinstance(setting.default, tuple) else setting.default
    )
    return f"`{format_value(cast('Value', value))}`"


if __name__ == "__main__":
    sys.stdout.write(write())
