"""Writes docs/keys.md from the bindings: `python -m tui.keyreference > docs/keys.md`."""

from __future__ import annotations

import sys

from tui.bindings import written
from tui.keyboard import PLACES, Bound, all_bound

INTRODUCTION = """\
# Keys

This page is generated: `python -m tui.keyreference > docs/keys.md` writes it again.

`f1`, `/keys`, or `?` while nothing is typed shows them in the app, with what you changed; choosing one and
pressing another key changes it. In `config.toml` a key is changed by its name:

```toml
[keys]
plan = "f2"
palette = ["ctrl+p", "f3"]
plan-delete = "none"
```

Keys are written as `ctrl+x`, `alt+enter`, `shift+tab`, `f5`, `pageup`, or as the letter or sign itself
where none is typed; a comma is `comma`, and `none` is no key at all. What does not exist or cannot be read,
a key that something else has in the same place, and one that most terminals send as another, as `ctrl+i`
comes as `tab`, is told at the start and never stops it. A key of a place goes before one that acts
anywhere, but for those marked *first*.

A list, or a line that is asked for, has all keys while it lies over the screen: of those that act anywhere
only the one that leaves, the one that draws anew and the one that opened the list, which closes it, are
left. `enter` takes what is chosen or typed, and the keys that move and delete at the prompt do so there. A
question is answered with the letters and numbers beside its answers. Those, and this `enter`, are not
changed.
"""


def write() -> str:
    bound = all_bound({})
    sections = [_section(place, [each for each in bound if each.place == place]) for place in PLACES]
    return "\n".join([INTRODUCTION, *sections])


def _section(place: str, bound: list[Bound]) -> str:
    rows = "\n".join(_row(each) for each in bound)
    return f"## {place}\n\n| keys | what it does | name |\n|---|---|---|\n{rows}\n"


def _row(bound: Bound) -> str:
    keys = " ".join(f"`{written(key)}`" for key in bound.keys)
    first = " *first*" if bound.priority and bound.place == "Anywhere" else ""
    return f"| {keys} | {bound.does}{first} | `{bound.name}` |"


if __name__ == "__main__":
    sys.stdout.write(write())
