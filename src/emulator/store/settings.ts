import { randomBytes, randomUUID } from "node:crypto";
import type { Store } from "./store.ts";

/** Who this platform is: kept in the data directory, so that a restart changes nothing for its clients. */
export interface Identity {
  readonly apiKey: string;
  readonly workspaceId: string;
  /** The sample deployment's id. */
  readonly deploymentId: string;
}

/** Reads or makes the identity; a given key replaces the stored one. */
export function readIdentity(store: Store, givenKey: string | undefined): Identity {
  if (givenKey !== undefined) writeSetting(store, "api_key", givenKey);
  return {
    apiKey: setting(store, "api_key", () => `local_${randomBytes(24).toString("base64url")}`),
    workspaceId: setting(store, "workspace_id", randomUUID),
    deploymentId: setting(store, "deployment_id", randomUUID),
  };
}

/** The stored value of a setting. */
export function readSetting(store: Store, name: string): string | undefined {
  const row = store.get("SELECT value FROM settings WHERE name = ?", name);
  return row === undefined ? undefined : String(row.value);
}

/** Stores a setting. */
export function writeSetting(store: Store, name: string, value: string): void {
  store.run(
    "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    name,
    value,
  );
}

function setting(store: Store, name: string, make: () => string): string {
  const stored = readSetting(store, name);
  if (stored !== undefined) return stored;
  const made = make();
  writeSetting(store, name, made);
  return made;
}
