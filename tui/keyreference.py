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

Keys are written as `ctrl+x`, `alt+enter`, `shift+tab`, `f5`, `pageup`, or as the letter itself where none is
typed. A name or key that does not exist, and a key that something else has in the same place, is told at the
start and never stops it. A key of a place goes before one that acts anywhere, but for those marked *first*.
A question is answered with the letters and numbers beside its answers, and those are not changed.
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
