"""Everything that can be done, by name: the commands of the session and the keys of the app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from agent.commands.registry import Command
from tui.screens.picker import PickerScreen
from tui.screens.rows import Listed, Row, Rows
from tui.transcript.ink import Ink

# Commands for which there is a key as well, by the id of its binding.
_KEYED = {"quit": "leave", "hold": "hold"}
# What has no use by name: it is in the list already, or would be gone before it is seen.
_KEYS_ONLY = frozenset(("palette", "stop", "leave", "hold", "copy", "next-part", "rewind"))


def action_rows(bindings: Iterable[Binding], keys: Mapping[str, str]) -> list[Row]:
    """`keys` says by id how each is spelled."""
    found: dict[str, Row] = {}
    for each in bindings:
        if each.id and each.id not in _KEYS_ONLY and each.description:
            row = Row(each.action, each.description, "", key=keys.get(each.id, ""))
            found.setdefault(each.id, row)
    return list(found.values())


def command_rows(commands: Iterable[Command], keys: Mapping[str, str]) -> list[Row]:
    """Each gives its line, with a blank behind it where something is missing."""
    return [
        Row(_line(each), each.usage, each.help, key=keys.get(_KEYED.get(each.name, ""), ""))
        for each in commands
    ]


def _line(command: Command) -> str:
    wants = any(argument.required for argument in command.arguments)
    return f"/{command.name}{' ' if wants else ''}"


class PaletteScreen(PickerScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "close", "Close", id="palette"),
    ]
    ENTER = "runs it"

    def __init__(self, ink: Ink, commands: Sequence[Row], actions: Sequence[Row]) -> None:
        short = [row for row in commands if " " not in row.value.rstrip()]
        long = [row for row in commands if row not in short]
        super().__init__(ink, "Commands", [*short, *actions, *long])

    def listing(self, rows: Sequence[Row]) -> Rows:
        return Offered(self.ink, rows)


class Offered(Listed):
    # What a command takes may be cut; what it does is what one reads.
    COLUMN = 30
