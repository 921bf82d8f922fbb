"""Settings of a project that count only once the user has agreed to the very value.

A model decides who reads the conversation and who is paid for it, so that trust in a folder is not enough.
"""

from __future__ import annotations

from collections.abc import Iterable

from store import grants
from store.database import Reader, Writer

# Kept among the answers of permission questions, so that `/permissions` shows it and can forget it.
TOOL = "project-setting"


def wish(path: tuple[str, ...], value: object) -> str:
    return f"{'.'.join(path)} = {value}"


def unheeded(origin: str, wanted: str) -> str:
    """The notice for a wish that nobody has agreed to."""
    return f"{origin}: {wanted} is not used until you agree: /trust models, or `wakeful trust --models`"


async def agreed(reader: Reader, workspace: str) -> frozenset[str]:
    kept = await grants.listed(reader, workspace, None)
    return frozenset(grant.pattern for grant in kept if grant.tool == TOOL and grant.verdict == "allow")


async def agree(writer: Writer, workspace: str, wishes: Iterable[str]) -> None:
    known = await agreed(writer, workspace)
    for wanted in dict.fromkeys(wishes):
        if wanted not in known:
            await grants.add(writer, workspace, None, TOOL, wanted, "allow")
