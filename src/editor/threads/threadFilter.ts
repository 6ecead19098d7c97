/** Which threads the Deployments view shows: a status, and a text that is turned into a query. */

import type { Json, JsonObject, ThreadStatus } from "../../api/agentServer/wire.ts";
import { isUuid } from "../kit/words.ts";
import type { ThreadFacts } from "./threadFacts.ts";

/** What a person wants to see; everything when it is empty. */
export interface ThreadFilter {
  readonly status?: ThreadStatus;
  /** As typed: a thread id, `key=value` for metadata, or words of a title. */
  readonly text?: string;
}

/** What of a filter the server answers, and what only the rows themselves can tell. */
export interface ThreadQuery {
  readonly status?: ThreadStatus;
  readonly metadata?: JsonObject;
  readonly ids?: readonly string[];
  /** Servers cannot search in titles; threads are read page by page and held against this. */
  readonly keep?: (row: ThreadFacts) => boolean;
  /** Whether `keep` compares titles. */
  readonly byTitle?: boolean;
}

/** The query behind a filter: ids and metadata are asked of the server, titles are compared here. */
export function queryOf(filter: ThreadFilter): ThreadQuery {
  const status = filter.status === undefined ? {} : { status: filter.status };
  const text = filter.text?.trim() ?? "";
  if (text === "") return status;
  if (isUuid(text)) return { ...status, ids: [text.toLowerCase()] };
  const pair = /^([^\s=]+)=(.*)$/s.exec(text);
  if (pair?.[1] !== undefined && pair[2] !== undefined) {
    return { ...status, metadata: { [pair[1]]: searchValue(pair[2].trim()) } };
  }
  const wanted = text.toLowerCase();
  return {
    ...status,
    byTitle: true,
    keep: (row) => row.title.toLowerCase().includes(wanted) || row.id.includes(wanted),
  };
}

/** Whether the filter leaves anything out. */
export function isFiltering(filter: ThreadFilter): boolean {
  return filter.status !== undefined || (filter.text ?? "").trim() !== "";
}

/** The filter in words, as it stands in the view's description: `interrupted · "weather"`. */
export function describeFilter(filter: ThreadFilter): string {
  const text = filter.text?.trim() ?? "";
  return [filter.status, text === "" ? undefined : `“${text}”`]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** A filter that was kept in the workspace's state, or none when it can't be read. */
export function filterFrom(kept: unknown): ThreadFilter {
  if (kept === null || typeof kept !== "object") return {};
  const { status, text } = kept as { readonly status?: unknown; readonly text?: unknown };
  return { ...(typeof status === "string" ? { status } : {}), ...(typeof text === "string" ? { text } : {}) };
}

/** A value as it is typed after `key=`: `3` and `true` are JSON, everything else is text, and quotes make it so on purpose. */
export function searchValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
