"""Full-text search over what was said and what was planned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from store.database import Reader

# Control characters that no stored text needs, so that a match can be marked and later coloured.
OPEN, CLOSE = "\x02", "\x03"


@dataclass(frozen=True, slots=True)
class Hit:
    kind: Literal["message", "todo"]
    id: int
    session_id: str | None
    snippet: str


async def search(reader: Reader, words: str, *, workspace: str, limit: int = 50) -> tuple[Hit, ...]:
    """Every word must occur, the last one may be unfinished; the best matches come first."""
    query = _query(words)
    if not query:
        return ()
    said = await reader.all(
        "SELECT p.message_id, m.session_id, snippet(message_search, 0, ?, ?, '…', 12), bm25(message_search)"
        " FROM message_search JOIN parts p ON p.id = message_search.rowid"
        " JOIN messages m ON m.id = p.message_id JOIN sessions s ON s.id = m.session_id"
        " WHERE message_search MATCH ? AND s.tenant = ? AND s.workspace = ? ORDER BY rank LIMIT ?",
        OPEN,
        CLOSE,
        query,
        reader.tenant,
        workspace,
        limit,
    )
    planned = await reader.all(
        "SELECT t.id, t.session_id, snippet(todo_search, 0, ?, ?, '…', 12), bm25(todo_search)"
        " FROM todo_search JOIN todos t ON t.id = todo_search.rowid"
        " WHERE todo_search MATCH ? AND t.tenant = ? AND t.workspace = ? ORDER BY rank LIMIT ?",
        OPEN,
        CLOSE,
        query,
        reader.tenant,
        workspace,
        limit,
    )
    ranked = [(row[3], Hit("message", *row[:3])) for row in said]
    ranked += [(row[3], Hit("todo", *row[:3])) for row in planned]
    return tuple(hit for _, hit in sorted(ranked, key=lambda pair: pair[0])[:limit])


def _query(words: str) -> str:
    quoted = [f'"{word}"' for word in words.replace('"', " ").replace("\0", " ").split()]
    return f"{' '.join(quoted)}*" if quoted else ""
