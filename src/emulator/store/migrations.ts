import { bulkExportSchema } from "./bulkExportSchema.ts";
import { controlPlaneSchema } from "./controlPlaneSchema.ts";
import { managedSchema, managedThreadIndexes } from "./managedSchema.ts";
import { mcpSchema } from "./mcpSchema.ts";

/** The schema's history: entry n brings a store of version n to version n + 1. Entries are only ever added. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE threads (
    thread_id TEXT PRIMARY KEY,
    deployment_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    state_updated_at TEXT,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    config TEXT NOT NULL,
    "values" TEXT,
    interrupts TEXT NOT NULL
  ) STRICT;
  CREATE INDEX threads_by_update ON threads (deployment_id, updated_at, thread_id);
  CREATE INDEX threads_by_creation ON threads (deployment_id, created_at, thread_id);
  CREATE INDEX threads_by_status ON threads (deployment_id, status, updated_at, thread_id);

  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    thread_id TEXT NOT NULL,
    deployment_id TEXT NOT NULL,
    assistant_id TEXT NOT NULL,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    kwargs TEXT NOT NULL,
    multitask_strategy TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    error TEXT
  ) STRICT;
  CREATE INDEX runs_by_thread ON runs (thread_id, run_id);
  CREATE INDEX runs_unfinished ON runs (status) WHERE status IN ('pending', 'running');

  CREATE TABLE checkpoints (
    thread_id TEXT NOT NULL,
    checkpoint_ns TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    parent_id TEXT,
    run_id TEXT,
    node TEXT,
    "values" TEXT NOT NULL,
    tasks TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (thread_id, checkpoint_ns, checkpoint_id)
  ) STRICT;
  CREATE INDEX checkpoints_by_run ON checkpoints (run_id);

  CREATE TABLE run_events (
    run_id TEXT NOT NULL,
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    frames TEXT NOT NULL,
    PRIMARY KEY (run_id, first_id)
  ) STRICT;

  CREATE TABLE feedback_tokens (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    feedback_key TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    feedback_config TEXT
  ) STRICT;
  CREATE INDEX feedback_tokens_by_run ON feedback_tokens (run_id);

  CREATE TABLE feedback (
    id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX feedback_by_run ON feedback (run_id);
  `,
  `
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    key_hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    short_key TEXT NOT NULL,
    permissions TEXT NOT NULL,
    scope TEXT NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    severity_threshold INTEGER NOT NULL,
    event_types TEXT NOT NULL,
    headers BLOB NOT NULL,
    signing_secret BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE webhook_deliveries (
    event_id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    next_at INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, state, next_at);

  CREATE TABLE webhook_attempts (
    event_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    at TEXT NOT NULL,
    PRIMARY KEY (event_id, attempt)
  ) STRICT;

  CREATE TABLE issues (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    severity INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    session_name TEXT NOT NULL,
    traces TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  `,
  managedSchema,
  bulkExportSchema,
  controlPlaneSchema,
  mcpSchema,
  managedThreadIndexes,
];
