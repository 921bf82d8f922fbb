"""Projects by their canonical path, and whether the user trusts them."""

from __future__ import annotations

from collections.abc import Collection

from store.clock import now
from store.database import Reader, Writer
from store.records import Workspace


async def ensure(writer: Writer, path: str) -> Workspace:
    writer.run("INSERT OR IGNORE INTO tenants (name, created_at) VALUES (?, ?)", writer.tenant, now())
    writer.run(
        "INSERT OR IGNORE INTO workspaces (tenant, path, created_at) VALUES (?, ?, ?)",
        writer.tenant,
        path,
        now(),
    )
    found = await get(writer, path)
    assert found is not None
    return found


async def get(reader: Reader, path: str) -> Workspace | None:
    row = await reader.one(
        "SELECT path, trusted_at, created_at FROM workspaces WHERE tenant = ? AND path = ?",
        reader.tenant,
        path,
    )
    return Workspace(*row) if row else None


async def trusted(reader: Reader, paths: Collection[str]) -> frozenset[str]:
    """Those of the paths that the user trusts."""
    places = [await get(reader, path) for path in paths]
    return frozenset(place.path for place in places if place and place.trusted_at is not None)


async def trust(writer: Writer, path: str, *, trusted: bool) -> None:
    await ensure(writer, path)
    writer.run(
        "UPDATE workspaces SET trusted_at = ? WHERE tenant = ? AND path = ?",
        now() if trusted else None,
        writer.tenant,
        path,
    )
    await writer.log("workspace.trusted", path, workspace=path, session_id=None, actor="user")
