-- Times are integer milliseconds since the epoch and never decide an order; integer keys do.

CREATE TABLE tenants (
    name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 200),
    created_at INTEGER NOT NULL
) STRICT;

INSERT INTO tenants (name, created_at) VALUES ('local', 0);

CREATE TABLE workspaces (
    tenant TEXT NOT NULL REFERENCES tenants (name) ON DELETE CASCADE,
    path TEXT NOT NULL CHECK (length(path) > 0),
    trusted_at INTEGER,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, path)
) STRICT;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY CHECK (length(id) = 26),
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    parent_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    title TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'dormant' CHECK (
        state IN ('running', 'awaiting_human', 'awaiting_approval', 'awaiting_agent', 'idle', 'dormant')
    ),
    reason TEXT NOT NULL DEFAULT '',
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    max_cost REAL CHECK (max_cost >= 0),
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    held_at INTEGER,
    wakes INTEGER NOT NULL DEFAULT 0 CHECK (wakes >= 0),
    stagnant INTEGER NOT NULL DEFAULT 0 CHECK (stagnant >= 0),
    activated_at INTEGER,
    activation_tokens INTEGER NOT NULL DEFAULT 0,
    activation_cost REAL NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE
) STRICT;

CREATE INDEX sessions_by_workspace ON sessions (tenant, workspace, updated_at);
CREATE INDEX sessions_by_parent ON sessions (parent_id);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    origin TEXT NOT NULL CHECK (
        origin IN ('human', 'agent', 'todos', 'wake', 'limit', 'command', 'continue', 'summary', 'peer')
    ),
    agent TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL DEFAULT 0,
    finish TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;

CREATE INDEX messages_by_session ON messages (session_id, id);

CREATE TABLE parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (
        kind IN ('text', 'reasoning', 'tool', 'file', 'compaction', 'subtask', 'retry', 'step')
    ),
    text TEXT NOT NULL DEFAULT '',
    call_id TEXT,
    tool TEXT,
    status TEXT CHECK (
        status IN ('pending', 'running', 'completed', 'failed', 'denied', 'interrupted')
    ),
    input TEXT,
    output TEXT,
    data TEXT,
    started_at INTEGER,
    ended_at INTEGER,
    pruned_at INTEGER,
    CHECK ((kind = 'tool') = (call_id IS NOT NULL AND tool IS NOT NULL AND status IS NOT NULL))
) STRICT;

CREATE INDEX parts_by_message ON parts (message_id, id);

CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
    type TEXT NOT NULL CHECK (type IN ('plan', 'code', 'document', 'config', 'data', 'other')),
    stage TEXT NOT NULL DEFAULT 'draft' CHECK (stage IN ('draft', 'review', 'final')),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
    extracted TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE
) STRICT;

CREATE INDEX artifacts_by_session ON artifacts (session_id);
CREATE INDEX artifacts_by_workspace ON artifacts (tenant, workspace);

CREATE TABLE artifact_versions (
    artifact_id INTEGER NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version >= 1),
    content TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (artifact_id, version)
) STRICT;

CREATE TABLE sprints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    status TEXT NOT NULL DEFAULT 'planned' CHECK (status IN ('planned', 'active', 'review', 'complete')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (tenant, workspace, name),
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE
) STRICT;

CREATE TABLE todos (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    run_id INTEGER REFERENCES messages (id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES todos (id) ON DELETE CASCADE,
    title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200 AND instr(title, char(10)) = 0),
    notes TEXT,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (
        status IN ('pending', 'in_progress', 'blocked', 'completed', 'cancelled')
    ),
    blocked_reason TEXT,
    blocked_on TEXT CHECK (blocked_on IN ('human', 'todo', 'external')),
    priority TEXT NOT NULL DEFAULT 'medium' CHECK (priority IN ('high', 'medium', 'low')),
    artifact_id INTEGER REFERENCES artifacts (id) ON DELETE SET NULL,
    sprint_id INTEGER REFERENCES sprints (id) ON DELETE SET NULL,
    "check" TEXT,
    position INTEGER NOT NULL,
    assignee TEXT,
    created_by TEXT NOT NULL,
    completed_by TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    completed_at INTEGER,
    started_at INTEGER,
    archived_at INTEGER,
    spent_milliseconds INTEGER NOT NULL DEFAULT 0,
    spent_tokens INTEGER NOT NULL DEFAULT 0,
    spent_cost REAL NOT NULL DEFAULT 0,
    spent_calls INTEGER NOT NULL DEFAULT 0,
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE,
    CHECK ((status = 'blocked') = (blocked_reason IS NOT NULL AND blocked_on IS NOT NULL)),
    CHECK ((status IN ('completed', 'cancelled')) = (completed_at IS NOT NULL)),
    CHECK (parent_id IS NULL OR parent_id <> id)
) STRICT;

CREATE INDEX todos_by_session ON todos (session_id, status, position);
CREATE INDEX todos_by_workspace ON todos (tenant, workspace, status, position);
CREATE INDEX todos_by_parent ON todos (parent_id);
CREATE INDEX todos_by_run ON todos (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX todos_by_artifact ON todos (artifact_id) WHERE artifact_id IS NOT NULL;
CREATE INDEX todos_by_sprint ON todos (sprint_id) WHERE sprint_id IS NOT NULL;

CREATE TABLE todo_dependencies (
    todo_id INTEGER NOT NULL REFERENCES todos (id) ON DELETE CASCADE,
    depends_on INTEGER NOT NULL REFERENCES todos (id) ON DELETE CASCADE,
    PRIMARY KEY (todo_id, depends_on),
    CHECK (todo_id <> depends_on)
) STRICT;

CREATE INDEX todo_dependents ON todo_dependencies (depends_on);

CREATE TABLE schedules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL REFERENCES tenants (name) ON DELETE CASCADE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    cron TEXT NOT NULL,
    prompt TEXT NOT NULL,
    enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
    fired_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX schedules_by_session ON schedules (session_id);

CREATE TABLE grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL REFERENCES tenants (name) ON DELETE CASCADE,
    workspace TEXT,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    tool TEXT NOT NULL,
    pattern TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'ask', 'deny')),
    created_at INTEGER NOT NULL,
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE
) STRICT;

CREATE INDEX grants_by_workspace ON grants (tenant, workspace);
CREATE INDEX grants_by_session ON grants (session_id) WHERE session_id IS NOT NULL;

CREATE TABLE prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    workspace TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    FOREIGN KEY (tenant, workspace) REFERENCES workspaces (tenant, path) ON DELETE CASCADE
) STRICT;

CREATE INDEX prompts_by_workspace ON prompts (tenant, workspace, id);
CREATE INDEX prompts_by_session ON prompts (session_id) WHERE session_id IS NOT NULL;

-- The outbox. No foreign key: a row may tell of something that is gone.
CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    workspace TEXT,
    session_id TEXT,
    kind TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    before TEXT,
    after TEXT,
    undoes INTEGER,
    origin TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX changes_by_session ON changes (session_id, seq);
CREATE INDEX changes_by_workspace ON changes (tenant, workspace, seq);
CREATE INDEX changes_by_entity ON changes (kind, entity_id);
CREATE UNIQUE INDEX changes_undone ON changes (undoes) WHERE undoes IS NOT NULL;

-- A text part is indexed once, when it has ended, so that streaming does not index every growing prefix.
CREATE VIRTUAL TABLE message_search USING fts5 (text, content = 'parts', content_rowid = 'id');

CREATE TRIGGER part_born_whole AFTER INSERT ON parts WHEN new.kind = 'text' AND new.ended_at IS NOT NULL
BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.id, new.text);
END;

CREATE TRIGGER part_changed AFTER UPDATE OF text, ended_at ON parts
WHEN new.kind = 'text' AND (old.ended_at IS NOT NULL OR new.ended_at IS NOT NULL)
BEGIN
    INSERT INTO message_search (message_search, rowid, text)
    SELECT 'delete', old.id, old.text WHERE old.ended_at IS NOT NULL;
    INSERT INTO message_search (rowid, text)
    SELECT new.id, new.text WHERE new.ended_at IS NOT NULL;
END;

CREATE TRIGGER part_removed AFTER DELETE ON parts WHEN old.kind = 'text' AND old.ended_at IS NOT NULL
BEGIN
    INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.id, old.text);
END;

CREATE VIRTUAL TABLE todo_search USING fts5 (title, content = 'todos', content_rowid = 'id');

CREATE TRIGGER todo_added AFTER INSERT ON todos
BEGIN
    INSERT INTO todo_search (rowid, title) VALUES (new.id, new.title);
END;

CREATE TRIGGER todo_renamed AFTER UPDATE OF title ON todos WHEN old.title <> new.title
BEGIN
    INSERT INTO todo_search (todo_search, rowid, title) VALUES ('delete', old.id, old.title);
    INSERT INTO todo_search (rowid, title) VALUES (new.id, new.title);
END;

CREATE TRIGGER todo_removed AFTER DELETE ON todos
BEGIN
    INSERT INTO todo_search (todo_search, rowid, title) VALUES ('delete', old.id, old.title);
END;
