"""How the user left the sidebar, kept beside the log: its width, whether it is wanted, what is folded."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import cast

from agent.paths import make_private_folder
from store.frozen import frozen

NARROWEST, WIDEST = 24, 80
# Until the user says otherwise: a quarter of the window, between these.
USUAL = range(38, 53)
NAME = "sidebar.json"


@frozen
class Shape:
    """Without a width of the user's own it goes with the window."""

    width: int | None = None
    wanted: bool = True
    folded: bool = False

    def width_in(self, columns: int) -> int:
        """As it is shown: beside the conversation it takes half of the screen at most."""
        return min(self.width or max(USUAL[0], min(columns // 4, USUAL[-1])), columns // 2)

    def wider(self, cells: int, columns: int) -> Shape:
        return self.as_wide_as(self.width_in(columns) + cells, columns)

    def as_wide_as(self, width: int, columns: int) -> Shape:
        """What there is no room for is not kept either: the next step starts from what is seen."""
        return replace(self, width=max(NARROWEST, min(width, WIDEST, columns // 2)))


def recall(folder: Path) -> Shape:
    """Whatever is wrong with the file, there is a sidebar."""
    try:
        found = cast("object", json.loads((folder / NAME).read_text("utf-8")))
    except (OSError, ValueError):
        return Shape()
    kept = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    width, wanted, folded = kept.get("width"), kept.get("wanted"), kept.get("folded")
    return Shape(
        width if isinstance(width, int) and NARROWEST <= width <= WIDEST else None,
        wanted is not False,
        folded is True,
    )


def keep(folder: Path, shape: Shape) -> None:
    """A full disk must not take the conversation along."""
    try:
        make_private_folder(folder)
        fresh = folder / f"{NAME}.new"
        fresh.write_text(json.dumps(asdict(shape)) + "\n", "utf-8")
        fresh.chmod(0o600)
        fresh.replace(folder / NAME)
    except OSError:
        return
