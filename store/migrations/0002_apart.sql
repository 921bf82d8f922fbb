-- A row may point only at rows of its own tenant, and todos and artifacts only inside their workspace.
-- The refusal reads like that of a missing row, so that a foreign id cannot be told from one that does
-- not exist. A row that is missing altogether is left to the foreign keys.

CREATE TRIGGER sessions_apart_added BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.parent_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER sessions_apart_changed BEFORE UPDATE OF tenant, parent_id ON sessions
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.parent_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER artifacts_apart_added BEFORE INSERT ON artifacts
WHEN EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = new.session_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER artifacts_apart_changed BEFORE UPDATE OF tenant, workspace, session_id ON artifacts
WHEN EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = new.session_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER todos_apart_added BEFORE INSERT ON todos
WHEN EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = new.session_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM todos t WHERE t.id = new.parent_id AND (t.tenant, t.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM artifacts a WHERE a.id = new.artifact_id AND (a.tenant, a.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM sprints p WHERE p.id = new.sprint_id AND (p.tenant, p.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE m.id = new.run_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER todos_apart_changed BEFORE UPDATE OF tenant, workspace, session_id, run_id, parent_id, artifact_id, sprint_id ON todos
WHEN EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = new.session_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM todos t WHERE t.id = new.parent_id AND (t.tenant, t.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM artifacts a WHERE a.id = new.artifact_id AND (a.tenant, a.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM sprints p WHERE p.id = new.sprint_id AND (p.tenant, p.workspace) <> (new.tenant, new.workspace)
) OR EXISTS (
    SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE m.id = new.run_id AND (s.tenant, s.workspace) <> (new.tenant, new.workspace)
)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER schedules_apart_added BEFORE INSERT ON schedules
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER schedules_apart_changed BEFORE UPDATE OF tenant, session_id ON schedules
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER grants_apart_added BEFORE INSERT ON grants
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER grants_apart_changed BEFORE UPDATE OF tenant, session_id ON grants
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER prompts_apart_added BEFORE INSERT ON prompts
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER prompts_apart_changed BEFORE UPDATE OF tenant, session_id ON prompts
WHEN EXISTS (SELECT 1 FROM sessions s WHERE s.id = new.session_id AND s.tenant <> new.tenant)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;

CREATE TRIGGER dependencies_apart BEFORE INSERT ON todo_dependencies
WHEN EXISTS (
    SELECT 1 FROM todos a, todos b WHERE a.id = new.todo_id AND b.id = new.depends_on
    AND (a.tenant, a.workspace) <> (b.tenant, b.workspace)
)
BEGIN
    SELECT RAISE (ABORT, 'FOREIGN KEY constraint failed');
END;
