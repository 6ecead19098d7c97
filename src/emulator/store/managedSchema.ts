/** The tables of the managed agents and their threads. Triggers keep the places in step with what is listed. */
export const managedSchema = `
  CREATE TABLE managed_agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    description TEXT NOT NULL,
    permissions TEXT NOT NULL,
    runtime TEXT NOT NULL,
    backend TEXT NOT NULL,
    extras TEXT NOT NULL,
    configurable TEXT NOT NULL,
    revision TEXT NOT NULL,
    tracing_project_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE managed_agent_revisions (
    agent_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    parent TEXT,
    files TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (agent_id, revision)
  ) STRICT;

  CREATE TABLE managed_threads (
    thread_id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    title TEXT,
    is_pinned INTEGER NOT NULL DEFAULT 0,
    is_read INTEGER NOT NULL DEFAULT 1,
    test_run INTEGER NOT NULL DEFAULT 0,
    extra TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  CREATE INDEX managed_threads_by_agent ON managed_threads (agent_id);

  -- Where each listed item stood, version by version: what lets a cursor go on in the order in which it began.
  CREATE TABLE managed_places (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    item_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    until INTEGER,
    ended_at TEXT
  ) STRICT;
  CREATE INDEX managed_places_by_item ON managed_places (item_id, seq);
  CREATE INDEX managed_places_by_update ON managed_places (owner, updated_at, item_id);

  CREATE TRIGGER managed_place_ends AFTER INSERT ON managed_places BEGIN
    UPDATE managed_places SET until = NEW.seq, ended_at = NEW.updated_at
      WHERE item_id = NEW.item_id AND until IS NULL AND seq < NEW.seq;
    DELETE FROM managed_places WHERE item_id = NEW.item_id AND until IS NOT NULL
      AND ended_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day');
  END;
  CREATE TRIGGER managed_agent_made AFTER INSERT ON managed_agents BEGIN
    INSERT INTO managed_places (owner, item_id, name, created_at, updated_at)
      VALUES ('agents', NEW.id, NEW.folded_name, NEW.created_at, NEW.updated_at);
  END;
  CREATE TRIGGER managed_agent_changed AFTER UPDATE ON managed_agents BEGIN
    INSERT INTO managed_places (owner, item_id, name, created_at, updated_at)
      VALUES ('agents', NEW.id, NEW.folded_name, NEW.created_at, NEW.updated_at);
  END;
  CREATE TRIGGER managed_agent_gone AFTER DELETE ON managed_agents BEGIN
    DELETE FROM managed_agent_revisions WHERE agent_id = OLD.id;
    DELETE FROM managed_places WHERE item_id = OLD.id;
  END;
  CREATE TRIGGER managed_thread_made AFTER INSERT ON managed_threads BEGIN
    INSERT INTO managed_places (owner, item_id, name, created_at, updated_at)
      SELECT NEW.agent_id, NEW.thread_id, '', created_at, updated_at
      FROM threads WHERE thread_id = NEW.thread_id;
  END;
  CREATE TRIGGER managed_thread_changed AFTER UPDATE OF updated_at ON threads
  WHEN NEW.deployment_id = 'managed' BEGIN
    INSERT INTO managed_places (owner, item_id, name, created_at, updated_at)
      SELECT agent_id, thread_id, '', NEW.created_at, NEW.updated_at
      FROM managed_threads WHERE thread_id = NEW.thread_id;
  END;
  CREATE TRIGGER managed_thread_unread AFTER UPDATE OF state_updated_at ON threads
  WHEN NEW.deployment_id = 'managed' BEGIN
    UPDATE managed_threads SET is_read = 0 WHERE thread_id = NEW.thread_id;
  END;
  CREATE TRIGGER managed_thread_gone AFTER DELETE ON threads
  WHEN OLD.deployment_id = 'managed' BEGIN
    DELETE FROM managed_threads WHERE thread_id = OLD.thread_id;
    DELETE FROM managed_places WHERE item_id = OLD.thread_id;
  END;
  `;

/** Indexes for filters that few threads of an agent match. */
export const managedThreadIndexes = `
  CREATE INDEX managed_threads_pinned ON managed_threads (agent_id) WHERE is_pinned = 1;
  CREATE INDEX managed_threads_unread ON managed_threads (agent_id) WHERE is_read = 0;
  CREATE INDEX managed_threads_of_tests ON managed_threads (agent_id) WHERE test_run = 1;
  `;
