"""Full-text search over what was said and what was planned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from store.database import Reader
from store.frozen import frozen
from store.records import Role, TodoStatus

# Control characters that no stored text needs, so that a match can be marked and later coloured.
OPEN, CLOSE = "\x02", "\x03"


@frozen
class Hit:
    """A message, with who said it, or a todo, with its status; `title` is that of its session."""

    kind: Literal["message", "todo"]
    id: int
    session_id: str | None
    title: str
    detail: Role | Literal["summary"] | TodoStatus
    created_at: int
    snippet: str


async def search(
    reader: Reader,
    words: str,
    *,
    workspace: str | None = None,
    session_id: str | None = None,
    limit: int = 50,
) -> tuple[Hit, ...]:
    """Every word must occur, the newest hits come first; too few, and the last word may be unfinished.

    By age and not by rank, and the unfinished word later: both would weigh all that has a word before the
    first hit is given.
    """
    quoted = [f'"{word}"' for word in words.replace('"', " ").replace("\0", " ").split()]
    if not quoted:
        return ()
    whole = " ".join(quoted)
    found = await _found(reader, whole, workspace, session_id, limit)
    return found if len(found) == limit else await _found(reader, f"{whole}*", workspace, session_id, limit)


async def _found(
    reader: Reader, query: str, workspace: str | None, session_id: str | None, limit: int
) -> tuple[Hit, ...]:
    values = (OPEN, CLOSE, query, reader.tenant, workspace, session_id, limit)
    said = await reader.all(
        "SELECT m.id, m.session_id, s.title, iif(m.origin = 'summary', m.origin, m.role), m.created_at,"
        " snippet(message_search, 0, ?1, ?2, '…', 16)"
        " FROM message_search JOIN parts p ON p.id = message_search.rowid"
        " JOIN messages m ON m.id = p.message_id JOIN sessions s ON s.id = m.session_id"
        " WHERE message_search MATCH ?3 AND m.rewound IS NULL"
        # What the agent was told behind the scenes repeats the plan, which is searched itself.
        " AND m.origin IN ('human', 'agent', 'peer', 'summary')"
        " AND s.tenant = ?4 AND (?5 IS NULL OR s.workspace = ?5)"
        " AND (?6 IS NULL OR s.id = ?6) ORDER BY message_search.rowid DESC LIMIT ?7",
        *values,
    )
    planned = await reader.all(
        "SELECT t.id, t.session_id, coalesce(s.title, ''), t.status, t.created_at,"
        " snippet(todo_search, -1, ?1, ?2, '…', 16)"
        " FROM todo_search JOIN todos t ON t.id = todo_search.rowid"
        " LEFT JOIN sessions s ON s.id = t.session_id"
        " WHERE todo_search MATCH ?3 AND t.tenant = ?4 AND (?5 IS NULL OR t.workspace = ?5)"
        " AND (?6 IS NULL OR t.session_id = ?6) ORDER BY todo_search.rowid DESC LIMIT ?7",
        *values,
    )
    found = [*(Hit("message", *row) for row in said), *(Hit("todo", *row) for row in planned)]
    return tuple(sorted(found, key=lambda hit: hit.created_at, reverse=True)[:limit])


def pieces(snippet: str) -> Iterator[tuple[str, bool]]:
    """The snippet on one line, cut where a match begins or ends; True for the matches."""
    marked = False
    line = " ".join(snippet.split())
    for piece in line.replace(CLOSE, OPEN).split(OPEN):
        if piece:
            yield piece, marked
        marked = not marked
