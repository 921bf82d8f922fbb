"""Keeps the first frame as it was drawn, so that the next start can show it before anything is loaded."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rich.cells import cell_len
from textual.app import App
from textual.widget import Widget

from agent.paths import make_private_folder
from tui.instant import frames
from tui.instant.circumstances import Circumstances
from tui.instant.frames import Frame, Run
from tui.instant.internals import rendered, strips

# Frames of other windows, themes and terminals that are kept.
_KEPT = 16
_RUN = re.compile(r"(?:\x1b\[([0-9;]*)m([^\x1b]*)\x1b\[0m|([^\x1b]+))")


def capture(app: App[int], prompt: Widget) -> Frame | None:
    """With the cursor in an empty prompt; None for a frame that runs of letters cannot give again."""
    rows = [_runs(line) for line in strips(app)]
    found = [row for row in rows if row is not None]
    place, text = prompt.scrollable_content_region, _runs(rendered(app, "x", prompt.rich_style))
    if len(found) < len(rows) or not place or not text:
        return None
    if any(cell_len("".join(text for _, text in row)) != app.size.width for row in found):
        return None
    cursor = _colours_at(found[place.y], place.x)
    return Frame(found, (place.x, place.y, place.width), text[0][0], cursor)


def learn(frame: Frame | None, here: Circumstances, files: list[Path]) -> None:
    """Writes only what is not known yet; a full disk costs the speed of the next start and no more."""
    place = Path(here.place)
    try:
        if frame is None:
            place.unlink(missing_ok=True)
            return
        if _same(here.known(), frame):
            return
        make_private_folder(place.parent)
        fresh = place.with_name(f"{place.name}.{os.getpid()}.new")
        fresh.write_text(here.headed([str(path) for path in files], frames.written(frame)), "utf-8")
        fresh.chmod(0o600)
        fresh.replace(place)
        _forget_oldest(place.parent)
    except OSError:
        return


def _same(known: Frame | None, frame: Frame) -> bool:
    fitted = known.fitted(frame.columns, len(frame.rows)) if known else None
    return fitted is not None and vars(fitted) == vars(frame)


def _forget_oldest(folder: Path) -> None:
    known = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in known[_KEPT:]:
        path.unlink(missing_ok=True)


def _runs(line: str) -> list[Run] | None:
    runs, end = list[Run](), 0
    for found in _RUN.finditer(line):
        if found.start() != end:
            return None
        end = found.end()
        runs.append((found[1] or "", found[2] if found[3] is None else found[3]))
    return runs if end == len(line) and all(text.isprintable() for _, text in runs) else None


def _colours_at(row: list[Run], column: int) -> str:
    for colours, text in row:
        if column < len(text):
            return colours
        column -= len(text)
    return ""
