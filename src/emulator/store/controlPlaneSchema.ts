/** The tables of the control plane. Values of secrets are not kept: nothing here would use them. */
export const controlPlaneSchema = `
  CREATE TABLE deployments (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    source TEXT NOT NULL,
    source_config TEXT NOT NULL,
    secret_names TEXT NOT NULL,
    secret_references TEXT NOT NULL,
    status TEXT NOT NULL,
    latest_revision_id TEXT,
    active_revision_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE revisions (
    id TEXT PRIMARY KEY,
    deployment_id TEXT NOT NULL,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    source_revision_config TEXT NOT NULL,
    fail_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revisions_by_deployment ON revisions (deployment_id, id);

  CREATE TABLE revision_logs (
    number INTEGER PRIMARY KEY,
    deployment_id TEXT NOT NULL,
    revision_id TEXT NOT NULL,
    type TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX revision_logs_by_deployment ON revision_logs (deployment_id, revision_id, number);

  CREATE TABLE oauth_tokens (
    id TEXT PRIMARY KEY,
    provider_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    sealed BLOB NOT NULL,
    scopes TEXT NOT NULL,
    expires_at TEXT,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX oauth_tokens_by_provider ON oauth_tokens (provider_id, user_id);
`;
