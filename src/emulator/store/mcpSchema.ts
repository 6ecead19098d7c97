/** The tables of tool servers, of their authorization servers, and of what users granted. */
export const mcpSchema = `
  CREATE TABLE mcp_servers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    same_url TEXT NOT NULL UNIQUE,
    headers BLOB NOT NULL,
    auth_type TEXT NOT NULL,
    oauth_provider_id TEXT,
    oauth_mode TEXT,
    vendor_id TEXT,
    external_system_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE auth_providers (
    id TEXT PRIMARY KEY,
    mcp_server_id TEXT NOT NULL,
    server_url TEXT NOT NULL,
    sealed BLOB NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE auth_sessions (
    id TEXT PRIMARY KEY,
    provider_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    state_hash TEXT NOT NULL UNIQUE,
    sealed BLOB NOT NULL,
    token_id TEXT,
    error TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX auth_sessions_by_provider ON auth_sessions (provider_id);

  ALTER TABLE oauth_tokens ADD COLUMN is_default INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE oauth_tokens ADD COLUMN agent_id TEXT;
  ALTER TABLE oauth_tokens ADD COLUMN renewable INTEGER NOT NULL DEFAULT 0;

  CREATE TRIGGER auth_provider_gone AFTER DELETE ON auth_providers BEGIN
    DELETE FROM oauth_tokens WHERE provider_id = OLD.id;
    DELETE FROM auth_sessions WHERE provider_id = OLD.id;
    UPDATE mcp_servers SET oauth_provider_id = NULL WHERE oauth_provider_id = OLD.id;
  END;
  CREATE TRIGGER mcp_server_gone AFTER DELETE ON mcp_servers BEGIN
    DELETE FROM auth_providers WHERE mcp_server_id = OLD.id;
  END;
  CREATE TRIGGER mcp_server_moved AFTER UPDATE OF same_url ON mcp_servers
  WHEN NEW.same_url <> OLD.same_url BEGIN
    DELETE FROM auth_providers WHERE mcp_server_id = OLD.id;
  END;
  `;
