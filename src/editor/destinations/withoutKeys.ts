import type { Credentials } from "../../api/bulkExports/wire.ts";

/** What a store or service said, should it repeat the keys that it was given: they are shown and logged nowhere. */
export function withoutKeys(text: string, credentials: Credentials | undefined): string {
  return Object.values(credentials ?? {})
    .filter((key): key is string => typeof key === "string" && key !== "")
    .reduce((shown, key) => shown.replaceAll(key, "•••"), text);
}
