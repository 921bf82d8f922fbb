"""What was typed and not sent, kept per project so that it is there at the next start."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, field
from pathlib import Path
from typing import cast

from agent.paths import make_private_folder
from store.frozen import frozen
from tui.instant.circumstances import digest

NAME = "drafts"


@frozen
class Draft:
    """`pastes` are what words in the text stand for; `queued` was sent, and not taken by the agent yet."""

    text: str = ""
    pastes: dict[str, str] = field(default_factory=dict[str, str])
    queued: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.text.strip() or self.queued)

    @property
    def whole(self) -> str:
        return "\n\n".join(filter(str.strip, (*self.queued, self.text)))


def recall(folder: Path, project: Path) -> Draft:
    """Nothing while the window it was typed in is still open, and whatever is wrong with the file."""
    try:
        found = cast("object", json.loads(_file(folder, project).read_text("utf-8")))
    except (OSError, ValueError):
        return Draft()
    kept = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    text, pastes, owner = kept.get("text"), kept.get("pastes"), kept.get("owner")
    if not isinstance(text, str) or (isinstance(owner, int) and owner != os.getpid() and _lives(owner)):
        return Draft()
    words = cast("dict[object, object]", pastes) if isinstance(pastes, dict) else {}
    known = {name: each for name, each in words.items() if isinstance(name, str) and isinstance(each, str)}
    queued = kept.get("queued")
    waited = cast("list[object]", queued) if isinstance(queued, list) else []
    return Draft(text, known, tuple(each for each in waited if isinstance(each, str)))


def keep(folder: Path, project: Path, draft: Draft, *, leaving: bool = False) -> None:
    """A full disk must not take the conversation along."""
    file = _file(folder, project)
    try:
        if draft.empty:
            file.unlink(missing_ok=True)
            return
        make_private_folder(file.parent)
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps({**asdict(draft), "owner": 0 if leaving else os.getpid()}), "utf-8")
        fresh.chmod(0o600)
        fresh.replace(file)
    except OSError:
        return


def _file(folder: Path, project: Path) -> Path:
    return folder / NAME / f"{digest(str(project))}.json"


def _lives(process: int) -> bool:
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
