"""Composes the system prompt once for a session; its bytes then never change."""

from __future__ import annotations

import platform
from collections.abc import Collection, Sequence
from pathlib import Path

from agent.agents.load import Agent
from agent.paths import lies_within
from store.clock import format_time
from store.frozen import frozen

# Together with the tools this stays a small part of any context.
_MOST_INSTRUCTIONS = 32_000


def compose(agent: Agent, root: Path, *, created_at: int, guidance: str, instructions: Sequence[str]) -> str:
    """`guidance` is how to use the todo dialect; `instructions` are the project's own, nearest first."""
    common = (Path(__file__).parent / "system.md").read_text("utf-8").strip()
    place = f"Folder: {root}\nSystem: {platform.system()}\nDate: {format_time(created_at)[:10]}"
    sections = [common, agent.prompt, guidance, place, *instructions]
    return "\n\n".join(section for section in sections if section)


@frozen
class Instructions:
    """The project's own words, nearest first; `unused` are files that trust does not cover."""

    texts: tuple[str, ...] = ()
    unused: tuple[Path, ...] = ()


def project_instructions(root: Path, trusted: Collection[Path]) -> Instructions:
    """Every AGENTS.md from the project folder up to the top of its repository.

    A file counts when its folder is one of `trusted`, and what it may be a link to lies in one of them.
    """
    texts: list[str] = []
    unused: list[Path] = []
    room = _MOST_INSTRUCTIONS
    for folder in (root, *root.parents):
        file = folder / "AGENTS.md"
        if file.is_file():
            if folder in trusted and any(lies_within(file, each) for each in trusted):
                text = _text(file)[:room]
                room -= len(text)
                texts += [f"Project instructions from {file}:\n{text}"] if text else []
            else:
                unused.append(file)
        if (folder / ".git").exists():
            break
    return Instructions(tuple(texts), tuple(unused))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
