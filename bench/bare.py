"""The floor of every screen: a Textual app that is a place to type and nothing else."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import TextArea

COMMAND = (sys.executable, "-m", "bench.bare")


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield TextArea()


if __name__ == "__main__":
    Bare().run()
