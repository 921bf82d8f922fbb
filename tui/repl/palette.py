"""Roles of colour in the REPL; what they look like is data in `themes/`."""

from __future__ import annotations

import tomllib
from importlib import resources

from store.frozen import frozen


@frozen
class Palette:
    """Names of colours as rich spells them; `code` is the name of a highlighting theme."""

    accent: str
    waiting: str
    good: str
    bad: str
    faint: str
    code: str

    def prompt_style(self) -> dict[str, str]:
        """The same roles for prompt-toolkit, which spells the sixteen colours in its own way."""
        accent, waiting, bad, faint = map(_ansi, (self.accent, self.waiting, self.bad, self.faint))
        return {
            "accent": f"{accent} bold",
            "waiting": f"{waiting} bold",
            "bad": bad,
            "faint": faint,
            "prompt": f"{accent} bold",
            "completion-menu": "noreverse bg:default",
            "completion-menu.completion": "noreverse bg:default fg:default",
            "completion-menu.completion.current": f"noreverse bg:default {accent} bold",
            "completion-menu.meta.completion": f"noreverse bg:default {faint}",
            "completion-menu.meta.completion.current": f"noreverse bg:default {accent}",
            "scrollbar.background": "bg:default",
            "scrollbar.button": "bg:default",
            "search-toolbar": waiting,
        }


def read_palette() -> Palette:
    text = resources.files("themes").joinpath("repl", "terminal.toml").read_text("utf-8")
    return Palette(**tomllib.loads(text))


def _ansi(name: str) -> str:
    return f"ansi{name.replace('_', '')}"
