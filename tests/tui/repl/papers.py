"""Paper of a given kind, and the events of a session made by hand."""

import re

from tui.repl.palette import read_palette
from tui.repl.paper import Abilities, Paper

SGR = re.compile(r"\x1b\[[0-9;]*m")


def paper(
    *,
    width: int = 80,
    colour: bool = True,
    styled: bool = True,
    unicode: bool = True,
    spoken: bool = False,
) -> Paper:
    return Paper(Abilities(colour, styled, unicode, spoken), read_palette(), lambda: width)


def bare(text: str) -> str:
    """Without our own colours; whatever else is left was let through."""
    return SGR.sub("", text)
