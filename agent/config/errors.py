"""What is wrong with a setting, and where: cheap to import, so that every door can catch it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Problem(NamedTuple):
    """`place` is how a person finds it: `config.toml:7`, `env WAKEFUL_X`, `--set`."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class ConfigError(Exception):
    """Names every problem of every layer at once."""

    code = "config"
    hint = ""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)
