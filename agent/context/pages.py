"""The words around a summary, from the `.md` files beside this module."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def page(name: str) -> str:
    return resources.files("agent.context").joinpath("prompts", f"{name}.md").read_text("utf-8").strip()
