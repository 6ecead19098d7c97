/** The tables of destinations, their credentials, exports and runs of exports. */
export const bulkExportSchema = `
  CREATE TABLE destinations (
    id TEXT PRIMARY KEY,
    display_name TEXT NOT NULL,
    config TEXT NOT NULL,
    credentials_keys TEXT NOT NULL,
    credentials_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE destination_credentials (
    id TEXT PRIMARY KEY,
    destination_id TEXT NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;

  CREATE TABLE bulk_exports (
    id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    body TEXT NOT NULL,
    source_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    finished_at TEXT,
    windows_done INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX bulk_exports_by_status ON bulk_exports (status);
  CREATE INDEX bulk_exports_by_source ON bulk_exports (source_id);

  CREATE TABLE bulk_export_runs (
    id TEXT PRIMARY KEY,
    bulk_export_id TEXT NOT NULL,
    session_id TEXT,
    status TEXT NOT NULL,
    retry_number INTEGER NOT NULL,
    errors TEXT,
    metadata TEXT NOT NULL,
    credentials_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    finished_at TEXT,
    start_time TEXT,
    end_time TEXT
  ) STRICT;
  CREATE INDEX bulk_export_runs_by_export ON bulk_export_runs (bulk_export_id, id);
  `;
