/** Asking a person about work on many things: what is done where is shown, and protected connections ask by their names. */

import type { Connections } from "../connections/connections.ts";
import { confirmTogether } from "../connections/guard.ts";
import { oneLine } from "../kit/words.ts";
import { type AgreedConnection, type BulkItem, agreementOn } from "./bulkJob.ts";

/** What is asked about. */
export interface Proposal {
  /** "Redeploy 12 deployments". */
  readonly title: string;
  /** The button: "Redeploy". */
  readonly verb: string;
  readonly items: readonly BulkItem[];
  /** What else a person is told before the things themselves. */
  readonly note?: string;
  /** What becomes of the first: "One is changed first". */
  readonly first: string;
}

const mostNamed = 20;

/** Asks; the answer is what was agreed to about each connection. Throws CancellationError where a person does not want it. */
export async function agree(
  connections: Pick<Connections, "get" | "resolve">,
  { title, verb, items, note, first }: Proposal,
): Promise<readonly AgreedConnection[]> {
  const sent = items.filter(({ state }) => state !== "left");
  const used = [...new Set(sent.map(({ connectionId }) => connectionId))].map((id) =>
    connections.resolve(id),
  );
  const connectionName = (id: string): string => oneLine(connections.get(id)?.name ?? id);
  const line = ({ name, connectionId, words, said = "" }: BulkItem): string =>
    `${oneLine(name)} on ${connectionName(connectionId)}: ${words === "" ? said : words}`;
  const left = items.filter(({ state }) => state === "left");
  const shown = [...sent.slice(0, mostNamed), ...left.slice(0, mostNamed)].map(line);
  const more = items.length - shown.length;
  const detail = [
    ...(note === undefined ? [] : [note, ""]),
    ...shown,
    ...(more === 0 ? [] : [`and ${String(more)} more`]),
    ...(sent.length > 1 ? ["", `${first} first; then you are asked whether to go on.`] : []),
  ];
  await confirmTogether(used, {
    question: `${title}?`,
    detail: detail.join("\n"),
    verb,
    always: true,
  });
  return used.map(agreementOn);
}
