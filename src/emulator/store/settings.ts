import type { Store } from "./store.ts";

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

/** Forgets a setting. */
export function deleteSetting(store: Store, name: string): void {
  store.run("DELETE FROM settings WHERE name = ?", name);
}
