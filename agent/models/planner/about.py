"""Says what the built-in model is, for whoever takes it for more."""

from __future__ import annotations

from pathlib import Path


def about() -> str:
    return Path(__file__).with_name("about.md").read_text(encoding="utf-8").strip()
