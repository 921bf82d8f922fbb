"""Sessions: who talks to which model about which project, how far, and what it may still spend."""

from __future__ import annotations

from store import workspaces
from store.clock import now
from store.database import Reader, Row, Writer
from store.errors import MissingError
from store.ids import new_session_id
from store.records import Session, SessionState, Usage

_COLUMNS = (
    "id, workspace, parent_id, title, state, reason, agent, model, max_cost,"
    " input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost,"
    " held_at, wakes, stagnant, activated_at, activation_tokens, activation_cost, created_at, updated_at"
)


async def create(
    writer: Writer,
    workspace: str,
    *,
    agent: str,
    model: str,
    parent_id: str | None = None,
    max_cost: float | None = None,
) -> Session:
    await workspaces.ensure(writer, workspace)
    moment, session_id = now(), new_session_id()
    row = await writer.must(
        "the session was not stored",
        "INSERT INTO sessions"
        " (id, tenant, workspace, parent_id, agent, model, max_cost, created_at, updated_at)"
        f" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
        session_id,
        writer.tenant,
        workspace,
        parent_id,
        agent,
        model,
        max_cost,
        moment,
        moment,
    )
    await writer.log(
        "session.created", session_id, workspace=workspace, session_id=session_id, actor="system"
    )
    return _session(row)


async def get(reader: Reader, session_id: str) -> Session:
    row = await reader.must(
        f"no session {session_id}; `wakeful sessions` lists them",
        f"SELECT {_COLUMNS} FROM sessions WHERE id = ? AND tenant = ?",
        session_id,
        reader.tenant,
    )
    return _session(row)


async def find(reader: Reader, session_id: str) -> Session | None:
    row = await reader.one(
        f"SELECT {_COLUMNS} FROM sessions WHERE id = ? AND tenant = ?", session_id, reader.tenant
    )
    return None if row is None else _session(row)


async def newest(reader: Reader, workspace: str) -> Session | None:
    """The one that `-c` continues: children of other sessions do not count."""
    found = await listed(reader, workspace, limit=1)
    return found[0] if found else None


async def listed(reader: Reader, workspace: str | None, *, limit: int = 1000) -> tuple[Session, ...]:
    """Those of the latest change first, by its number: a clock may run backwards."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM sessions WHERE tenant = ? AND (? IS NULL OR workspace = ?)"
        " AND parent_id IS NULL ORDER BY (SELECT max(seq) FROM changes WHERE session_id = sessions.id) DESC,"
        " rowid DESC LIMIT ?",
        reader.tenant,
        workspace,
        workspace,
        limit,
    )
    return tuple(_session(row) for row in rows)


async def met_model(reader: Reader, model: str) -> bool:
    """Whether any session was ever given this model."""
    row = await reader.one(
        "SELECT 1 FROM sessions WHERE tenant = ? AND model = ? LIMIT 1", reader.tenant, model
    )
    return row is not None


async def set_state(writer: Writer, session_id: str, state: SessionState, reason: str) -> None:
    await _update(writer, session_id, "session.state", state=state, reason=reason)


async def rename(writer: Writer, session_id: str, title: str) -> None:
    await _update(writer, session_id, "session.renamed", title=title)


async def switch(writer: Writer, session_id: str, *, agent: str, model: str) -> None:
    await _update(writer, session_id, "session.switched", agent=agent, model=model)


async def set_budget(writer: Writer, session_id: str, max_cost: float | None) -> None:
    await _update(writer, session_id, "session.budget", max_cost=max_cost)


async def hold(writer: Writer, session_id: str, *, held: bool) -> None:
    await _update(writer, session_id, "session.held", held_at=now() if held else None)


async def activate(writer: Writer, session_id: str) -> None:
    """The user spoke: the hold ends and the wake budget starts anew."""
    await refill(writer, session_id)
    await hold(writer, session_id, held=False)


async def refill(writer: Writer, session_id: str) -> None:
    """Start the wake budget anew and leave a hold as it is: what a fired schedule does."""
    await _update(
        writer,
        session_id,
        "session.activated",
        wakes=0,
        stagnant=0,
        activated_at=now(),
        activation_tokens=0,
        activation_cost=0.0,
    )


async def count_wake(writer: Writer, session_id: str, *, stagnant: int) -> None:
    writer.run(
        "UPDATE sessions SET wakes = wakes + 1, stagnant = ? WHERE id = ? AND tenant = ?",
        stagnant,
        session_id,
        writer.tenant,
    )


async def set_stagnant(writer: Writer, session_id: str, stagnant: int) -> None:
    writer.run(
        "UPDATE sessions SET stagnant = ? WHERE id = ? AND tenant = ?", stagnant, session_id, writer.tenant
    )


async def spend(writer: Writer, session_id: str, usage: Usage, cost: float) -> None:
    writer.run(
        "UPDATE sessions SET input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,"
        " cache_read_tokens = cache_read_tokens + ?, cache_write_tokens = cache_write_tokens + ?,"
        " reasoning_tokens = reasoning_tokens + ?, cost = cost + ?,"
        " activation_tokens = activation_tokens + ?, activation_cost = activation_cost + ?, updated_at = ?"
        " WHERE id = ? AND tenant = ?",
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
        cost,
        usage.total,
        cost,
        now(),
        session_id,
        writer.tenant,
    )


async def delete(writer: Writer, session_id: str) -> None:
    """Takes its messages, todos, artifacts and history with it, and those of its children."""
    session = await get(writer, session_id)
    writer.run(
        "WITH RECURSIVE family (id) AS (SELECT ? UNION ALL"
        " SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id)"
        " DELETE FROM changes WHERE session_id IN family",
        session_id,
    )
    writer.run("DELETE FROM sessions WHERE id = ? AND tenant = ?", session_id, writer.tenant)
    await writer.log(
        "session.deleted", session_id, workspace=session.workspace, session_id=session_id, actor="user"
    )


async def drop_untouched(writer: Writer, session_id: str) -> None:
    """Delete it if it only ever was opened: nothing said, planned, scheduled or set."""
    empty = "".join(
        f" AND NOT EXISTS (SELECT 1 FROM {table} WHERE session_id = sessions.id)"
        for table in ("messages", "todos", "artifacts", "schedules")
    )
    untouched = await writer.one(
        f"SELECT id FROM sessions WHERE id = ? AND tenant = ?{empty} AND NOT EXISTS (SELECT 1 FROM changes"
        " WHERE session_id = sessions.id AND kind NOT IN ('session.created', 'session.state'))",
        session_id,
        writer.tenant,
    )
    if untouched is not None:
        await delete(writer, session_id)


async def _update(writer: Writer, session_id: str, kind: str, **columns: str | float | None) -> None:
    assignments = ", ".join(f"{name} = ?" for name in columns)
    row = await writer.one(
        f"UPDATE sessions SET {assignments}, updated_at = ? WHERE id = ? AND tenant = ? RETURNING workspace",
        *columns.values(),
        now(),
        session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no session {session_id}; `wakeful sessions` lists them")
    await writer.log(kind, session_id, workspace=row[0], session_id=session_id, actor="system")


def _session(row: Row) -> Session:
    values = list(row)
    values[9:14] = [Usage(*row[9:14])]
    return Session(*values)
