"""Tells every list that its todos lost the artifact or sprint they pointed to."""

from __future__ import annotations

from collections.abc import Sequence

from agent.todos import journal
from store import todos as rows
from store.database import Writer
from store.records import Todo


async def log_unlinked(writer: Writer, before: Sequence[Todo], *, actor: str) -> None:
    """To be called in the transaction that deleted the target, so that each list gets its new revision."""
    after = {todo.id: todo for todo in await rows.pick(writer, [todo.id for todo in before])}
    for session_id in dict.fromkeys(todo.session_id for todo in before):
        mine = [todo for todo in before if todo.session_id == session_id]
        await writer.log(
            "todo.unlinked",
            journal.join_ids(todo.id for todo in mine),
            workspace=mine[0].workspace,
            session_id=session_id,
            actor=actor,
            before=journal.write(mine),
            after=journal.write(after[todo.id] for todo in mine),
        )
