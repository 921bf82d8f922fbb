"""Composes the system prompt once for a session; its bytes then never change."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from agent.agents.load import Agent
from store.clock import format_time

# Together with the tools this stays a small part of any context.
_MOST_INSTRUCTIONS = 32_000


def compose(agent: Agent, root: Path, *, created_at: int, guidance: str, instructions: Sequence[str]) -> str:
    """`guidance` is how to use the todo dialect; `instructions` are the project's own, nearest first."""
    common = (Path(__file__).parent / "system.md").read_text("utf-8").strip()
    place = f"Folder: {root}\nSystem: {platform.system()}\nDate: {format_time(created_at)[:10]}"
    sections = [common, agent.prompt, guidance, place, *instructions]
    return "\n\n".join(section for section in sections if section)


def project_instructions(root: Path) -> list[str]:
    """Every AGENTS.md from the project folder up to the top of its repository, nearest first."""
    found: list[str] = []
    room = _MOST_INSTRUCTIONS
    for folder in (root, *root.parents):
        text = _text(folder / "AGENTS.md")[:room]
        if text:
            room -= len(text)
            found.append(f"Project instructions from {folder / 'AGENTS.md'}:\n{text}")
        if (folder / ".git").exists():
            break
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip() if path.is_file() else ""
    except OSError:
        return ""
