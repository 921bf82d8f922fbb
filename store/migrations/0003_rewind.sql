-- What a rewind sets aside stays; `rewound` names the rewind that did it, so that taking it back finds its own.
ALTER TABLE messages ADD COLUMN rewound INTEGER;

-- `step_id` is the newest step before it: going back to before the rewind undoes everything later.
CREATE TABLE rewinds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('rewind', 'undo', 'redo')),
    what TEXT NOT NULL CHECK (what IN ('conversation', 'files', 'both')),
    message_id INTEGER NOT NULL,
    step_id INTEGER NOT NULL,
    undoes INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX rewinds_by_session ON rewinds (session_id, id);

-- One change of one file. `anchor` is the newest message when it happened; a mode of NULL is not known.
CREATE TABLE file_steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    anchor INTEGER NOT NULL,
    cause TEXT NOT NULL CHECK (cause IN ('edit', 'shell', 'rewind')),
    path TEXT NOT NULL,
    before_kind TEXT NOT NULL CHECK (before_kind IN ('absent', 'file', 'link', 'folder', 'other')),
    before_mode INTEGER,
    before_digest TEXT NOT NULL DEFAULT '',
    before_size INTEGER NOT NULL DEFAULT 0,
    after_kind TEXT NOT NULL CHECK (after_kind IN ('absent', 'file', 'link', 'folder', 'other')),
    after_mode INTEGER,
    after_digest TEXT NOT NULL DEFAULT '',
    after_size INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX file_steps_by_session ON file_steps (session_id, id);
