-- What a kill left open is found without reading the session it was left in.

CREATE INDEX messages_unfinished ON messages (session_id) WHERE role = 'assistant' AND finish IS NULL;
CREATE INDEX parts_unfinished ON parts (message_id) WHERE ended_at IS NULL OR status IN ('pending', 'running');

-- How many messages stand above a page is counted without reading them.

CREATE INDEX messages_in_sight ON messages (session_id, rewound, id);

-- Notes are searched as titles are.

DROP TRIGGER todo_added;
DROP TRIGGER todo_renamed;
DROP TRIGGER todo_removed;
DROP TABLE todo_search;

CREATE VIRTUAL TABLE todo_search USING fts5 (title, notes, content = 'todos', content_rowid = 'id');
INSERT INTO todo_search (todo_search) VALUES ('rebuild');

CREATE TRIGGER todo_added AFTER INSERT ON todos
BEGIN
    INSERT INTO todo_search (rowid, title, notes) VALUES (new.id, new.title, new.notes);
END;

CREATE TRIGGER todo_reworded AFTER UPDATE OF title, notes ON todos
WHEN old.title <> new.title OR old.notes IS NOT new.notes
BEGIN
    INSERT INTO todo_search (todo_search, rowid, title, notes)
    VALUES ('delete', old.id, old.title, old.notes);
    INSERT INTO todo_search (rowid, title, notes) VALUES (new.id, new.title, new.notes);
END;

CREATE TRIGGER todo_removed AFTER DELETE ON todos
BEGIN
    INSERT INTO todo_search (todo_search, rowid, title, notes)
    VALUES ('delete', old.id, old.title, old.notes);
END;
