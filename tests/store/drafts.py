"""Records with sensible values, for tests that care about one field."""

from store.records import Part, Todo


def todo(title: str = "a step", *, session_id: str | None = None, workspace: str = "/project") -> Todo:
    return Todo(
        id=0,
        session_id=session_id,
        workspace=workspace,
        tenant="local",
        parent_id=None,
        title=title,
        notes=None,
        status="pending",
        blocked_reason=None,
        blocked_on=None,
        priority="medium",
        depends_on=(),
        artifact_id=None,
        sprint_id=None,
        check=None,
        position=1,
        assignee=None,
        created_by="user",
        completed_by=None,
        created_at=1,
        updated_at=1,
        completed_at=None,
    )


def text(message_id: int, words: str, *, ended: bool = True) -> Part:
    return Part(0, message_id, "text", text=words, started_at=1, ended_at=1 if ended else None)
