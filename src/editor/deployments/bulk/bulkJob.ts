/** A change of many deployments as it is kept in a file: what was agreed to, and how far each deployment is. */

import { isObject } from "../../../api/shape.ts";
import type { ConnectionSetting, DeploymentRef, Strictness } from "../../connections/connection.ts";
import { counted, localTime } from "../../kit/words.ts";
import { type BulkChange, titleOf } from "./bulkChange.ts";

/**
 * How far a deployment is. "sending": the request is on its way, or its answer was never heard. "sent": its revision is
 * on its way. "left": it is not touched any more.
 */
export type ItemState = "waiting" | "sending" | "sent" | "done" | "failed" | "left";

/** One deployment of a job. */
export interface BulkItem extends DeploymentRef {
  readonly name: string;
  /** The latest revision when a person agreed: another one means that somebody else was there. */
  readonly before: string | null;
  readonly words: string;
  readonly state: ItemState;
  /** The revision that was made. */
  readonly revisionId?: string;
  /** What there is to say of its state. */
  readonly said?: string;
}

/** A connection as it was when a person agreed. */
export interface AgreedPlace {
  readonly connectionId: string;
  readonly name: string;
  readonly strictness: Strictness;
  /** Its addresses, as one text. */
  readonly addresses: string;
}

/** The whole of it; no secret is in it. */
export interface BulkJob {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly change: BulkChange;
  readonly places: readonly AgreedPlace[];
  readonly items: readonly BulkItem[];
  /** Whether one was tried, and a person wanted the others. */
  readonly isTried: boolean;
}

/** What a person agrees to of a connection. */
export function placeOf(connection: ConnectionSetting): AgreedPlace {
  const { id, name, url, controlPlaneUrl, workspaceId, protected: strictness = "nothing" } = connection;
  const addresses = JSON.stringify([url, controlPlaneUrl, workspaceId]);
  return { connectionId: id, name, strictness, addresses };
}

/** Why nothing is sent to a connection any more, as one sentence; undefined as long as it is what was agreed to. */
export function hindranceAt(
  agreed: AgreedPlace | undefined,
  now: ConnectionSetting | undefined,
): string | undefined {
  if (agreed === undefined) return "Nobody was asked about this connection.";
  if (now === undefined) return `The connection “${agreed.name}” was removed.`;
  const place = placeOf(now);
  if (place.addresses !== agreed.addresses) return `The addresses of “${now.name}” were changed.`;
  if (place.strictness !== agreed.strictness) return `The protection of “${now.name}” was changed.`;
  return undefined;
}

/** Whether anything is left to do. */
export function isOver({ items }: BulkJob): boolean {
  return items.every(({ state }) => ["done", "failed", "left"].includes(state));
}

/** "Redeploy 12 deployments". */
export function jobTitle({ change, items }: Pick<BulkJob, "change" | "items">): string {
  const many = counted(items.length, "deployment");
  return change.kind === "redeploy" ? `Redeploy ${many}` : `${titleOf(change)} on ${many}`;
}

/** "3 deployed, 1 failed, 8 not sent". */
export function progressText({ items }: Pick<BulkJob, "items">): string {
  const count = (...states: readonly ItemState[]): number =>
    items.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [count("done"), "deployed"],
    [count("sent", "sending"), "on the way"],
    [count("failed"), "failed"],
    [count("left"), "left out"],
    [count("waiting"), "not sent"],
  ] as const;
  return parts.flatMap(([number, words]) => (number === 0 ? [] : `${String(number)} ${words}`)).join(", ");
}

/** The report: what was done where, and what was not. */
export function reportText(job: BulkJob, nameOf: (connectionId: string) => string | undefined): string {
  const agreed = new Map(job.places.map((place) => [place.connectionId, place]));
  const sections = [...agreed.values()].map(({ connectionId, name, strictness }) => {
    const now = nameOf(connectionId);
    const renamed = now === undefined || now === name ? "" : `, now “${now}”`;
    const note = strictness === "nothing" ? "" : " (protected)";
    const items = job.items.filter((item) => item.connectionId === connectionId);
    const width = Math.max(...items.map((item) => item.name.length));
    const lines = items.map(({ name: called, words, state, said = "", revisionId = "" }) =>
      [`  ${STATE_WORDS[state].padEnd(11)}${called.padEnd(width)}`, words, said, revisionId]
        .filter((part) => part !== "")
        .join("  "),
    );
    return [`${name}${renamed}${note}`, ...lines, ""].join("\n");
  });
  const began = localTime(new Date(job.startedAt).toISOString());
  return [jobTitle(job), `Began ${began}: ${progressText(job)}.`, "", ...sections].join("\n");
}

/** Reads what was kept; undefined for what is no job. */
export function parseJob(value: unknown): BulkJob | undefined {
  if (!isObject(value)) return undefined;
  const { id, startedAt, change, items, places } = value;
  const isJob =
    typeof id === "string" &&
    typeof startedAt === "number" &&
    isObject(change) &&
    [items, places].every((list) => Array.isArray(list) && list.every(isObject));
  return isJob ? (value as unknown as BulkJob) : undefined;
}

const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  waiting: "not sent",
  sending: "on the way",
  sent: "on the way",
  done: "deployed",
  failed: "failed",
  left: "left out",
};
