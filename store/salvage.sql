-- Run after the readable rows were carried over: a row whose owner was in a damaged page
-- gets an owner again rather than being dropped.

INSERT OR IGNORE INTO tenants SELECT DISTINCT tenant, 0 FROM sessions;
INSERT OR IGNORE INTO tenants SELECT DISTINCT tenant, 0 FROM todos;
INSERT OR IGNORE INTO tenants SELECT DISTINCT tenant, 0 FROM workspaces;

INSERT OR IGNORE INTO sessions (id, tenant, workspace, title, agent, model, created_at, updated_at)
SELECT session_id, min(tenant), min(workspace), '(recovered)', 'build', '', max(updated_at), max(updated_at)
FROM todos WHERE session_id IS NOT NULL GROUP BY session_id;

-- Ids grow with time, so the nearest earlier message is the best guess for a lost one's session.
INSERT OR IGNORE INTO messages (id, session_id, role, origin, created_at)
SELECT DISTINCT message_id, earlier.session_id, 'assistant', 'agent', 0
FROM parts JOIN messages AS earlier
    ON earlier.id = (SELECT max(id) FROM messages WHERE id < parts.message_id)
WHERE message_id NOT IN (SELECT id FROM messages);

INSERT OR IGNORE INTO sessions (id, tenant, workspace, title, agent, model, created_at, updated_at)
SELECT session_id, 'local', '(recovered)', '(recovered)', 'build', '', max(created_at), max(created_at)
FROM messages GROUP BY session_id;

INSERT OR IGNORE INTO workspaces SELECT DISTINCT tenant, workspace, NULL, 0 FROM sessions;
INSERT OR IGNORE INTO workspaces SELECT DISTINCT tenant, workspace, NULL, 0 FROM todos;

-- An owner that was guessed may live elsewhere than the row says, and then no change of the row would be let
-- through: it moves to its owner, without links that would lead out of there.
UPDATE todos SET
    tenant = coalesce((SELECT s.tenant FROM sessions s WHERE s.id = todos.session_id), tenant),
    workspace = coalesce((SELECT s.workspace FROM sessions s WHERE s.id = todos.session_id), workspace),
    run_id = NULL, parent_id = NULL, artifact_id = NULL, sprint_id = NULL
WHERE EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = todos.session_id AND (s.tenant, s.workspace) <> (todos.tenant, todos.workspace)
) OR EXISTS (
    SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE m.id = todos.run_id AND (s.tenant, s.workspace) <> (todos.tenant, todos.workspace)
);
UPDATE todos SET parent_id = NULL WHERE EXISTS (
    SELECT 1 FROM todos t WHERE t.id = todos.parent_id AND (t.tenant, t.workspace) <> (todos.tenant, todos.workspace)
);
UPDATE artifacts SET
    tenant = (SELECT s.tenant FROM sessions s WHERE s.id = artifacts.session_id),
    workspace = (SELECT s.workspace FROM sessions s WHERE s.id = artifacts.session_id)
WHERE EXISTS (
    SELECT 1 FROM sessions s
    WHERE s.id = artifacts.session_id AND (s.tenant, s.workspace) <> (artifacts.tenant, artifacts.workspace)
);
UPDATE todos SET artifact_id = NULL WHERE EXISTS (
    SELECT 1 FROM artifacts a WHERE a.id = todos.artifact_id AND (a.tenant, a.workspace) <> (todos.tenant, todos.workspace)
);

UPDATE sessions SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM sessions);
UPDATE todos SET artifact_id = NULL WHERE artifact_id NOT IN (SELECT id FROM artifacts);
UPDATE todos SET sprint_id = NULL WHERE sprint_id NOT IN (SELECT id FROM sprints);
UPDATE todos SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM todos);
UPDATE todos SET run_id = NULL WHERE run_id NOT IN (SELECT id FROM messages);
UPDATE prompts SET session_id = NULL WHERE session_id NOT IN (SELECT id FROM sessions);
UPDATE messages SET rewound = NULL WHERE rewound NOT IN (SELECT id FROM rewinds);
