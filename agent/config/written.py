"""A value of the settings as it would stand in the file."""

from __future__ import annotations

from agent.config.edit import Value, format_value


def as_written(value: object) -> str:
    match value:
        case None:
            return '"none"'
        case bool() | int() | float() | str():
            return format_value(value)
        case tuple():
            items: list[Value] = [str(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] the models hold tuples of text only
            return format_value(items)
        case _:
            return str(value)
