"""How the user left the sidebar, kept beside the log: its width, whether it is wanted, what is folded."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

from agent.paths import make_private_folder

NARROWEST, USUAL, WIDEST = 24, 38, 80
NAME = "sidebar.json"


@dataclass(frozen=True, slots=True)
class Shape:
    width: int = USUAL
    wanted: bool = True
    folded: bool = False

    def wider(self, cells: int) -> Shape:
        return replace(self, width=max(NARROWEST, min(self.width + cells, WIDEST)))


def recall(folder: Path) -> Shape:
    """Whatever is wrong with the file, there is a sidebar."""
    try:
        found = cast("object", json.loads((folder / NAME).read_text("utf-8")))
    except (OSError, ValueError):
        return Shape()
    kept = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    width, wanted, folded = kept.get("width"), kept.get("wanted"), kept.get("folded")
    return Shape(
        width if isinstance(width, int) and NARROWEST <= width <= WIDEST else USUAL,
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
