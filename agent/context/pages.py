"""The words around a summary, from the `.md` files beside this module."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def page(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text("utf-8").strip()
