/** Which of a managed agent's threads are listed, and how that is asked for. */

import type { JsonObject } from "../../api/agentServer/wire.ts";
import type { ManagedAgents } from "../../api/managedAgents/index.ts";
import type { ManagedThread } from "../../api/managedAgents/wire.ts";
import { isUuid, dotted } from "../kit/words.ts";
import type { ReadPage } from "../kit/fetching/pages.ts";
import { searchValue } from "./threadFilter.ts";

/** What a person wants to see; all but test runs when it is empty. */
export interface ManagedThreadFilter {
  /** `attention`, `pinned`, `tests`, or a status; all but test runs when absent. */
  readonly show?: string;
  /** As typed: an id, `key=value` for metadata, `values.key=value` for the state, or words of a title. */
  readonly text?: string;
}

/** What can be shown apart from statuses, with what it is called. */
export const shows = { attention: "needs attention", pinned: "pinned", tests: "test runs" } as const;

const listSize = 20;
const searchSize = 100;

/** The filter in words; empty when everything is shown. */
export function describeThreadFilter({ show, text = "" }: ManagedThreadFilter): string {
  const words: Readonly<Record<string, string>> = shows;
  return dotted([show === undefined ? "" : (words[show] ?? show), text === "" ? "" : `“${text}”`]);
}

/** A filter that was kept over a reload, or none when it can't be read. */
export function threadFilterFrom(kept: unknown): ManagedThreadFilter {
  if (typeof kept !== "object" || kept === null) return {};
  const { show, text } = kept as Readonly<Record<string, unknown>>;
  return {
    ...(typeof show === "string" && show !== "" ? { show } : {}),
    ...(typeof text === "string" && text !== "" ? { text } : {}),
  };
}

/** Reads an agent's threads by the filter: listed by the platform, or searched where a text asks for it. */
export function threadPages(
  client: () => Promise<ManagedAgents>,
  agentId: string,
  filter: ManagedThreadFilter,
): ReadPage<ManagedThread> {
  const search = searchFor(filter.text ?? "");
  return async (cursor, signal) => {
    const { threads } = await client();
    if (search === undefined) {
      const query = { agent_id: agentId, page_size: listSize, cursor, ...listed(filter.show) };
      const page = await threads.page(query, { signal });
      const words = (filter.text ?? "").toLowerCase();
      return { ...page, items: page.items.filter((thread) => titleHas(thread, words)) };
    }
    const offset = Number(cursor ?? 0);
    const metadata = { ...search.metadata, agent_id: agentId };
    const body = { ...search, ...statusOnly(filter.show), metadata, limit: searchSize, offset };
    const found = await threads.search(body, { signal });
    const next_cursor = found.length < searchSize ? null : String(offset + found.length);
    return { items: found.filter((thread) => isShown(thread, filter.show)), next_cursor };
  };
}

/** What the platform searches for; undefined for words of a title, which it can't. */
function searchFor(text: string): { ids?: string[]; metadata?: JsonObject; values?: JsonObject } | undefined {
  if (isUuid(text)) return { ids: [text.toLowerCase()] };
  const [, name, value] = /^([^\s=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const wanted = searchValue(value.trim());
  const inValues = /^values\.(.+)$/.exec(name)?.[1];
  return inValues === undefined ? { metadata: { [name]: wanted } } : { values: { [inValues]: wanted } };
}

function listed(show: string | undefined) {
  switch (show) {
    case undefined:
      return {};
    case "attention":
      return { requires_attention: true };
    case "pinned":
      return { is_pinned: true };
    case "tests":
      return { test_run: true };
    default:
      return { status: show };
  }
}

function statusOnly(show: string | undefined): { readonly status?: string } {
  return show === undefined || show in shows ? {} : { status: show };
}

/** A search knows nothing of pins, test runs and attention. */
function isShown(thread: ManagedThread, show: string | undefined): boolean {
  if ((thread.test_run === true) !== (show === "tests")) return false;
  switch (show) {
    case "pinned":
      return thread.is_pinned === true;
    case "attention":
      return thread.status === "interrupted" || thread.status === "error" || thread.is_read === false;
    default:
      return true;
  }
}

function titleHas({ title, id }: ManagedThread, words: string): boolean {
  return words === "" || id.includes(words) || (title ?? "").toLowerCase().includes(words);
}
