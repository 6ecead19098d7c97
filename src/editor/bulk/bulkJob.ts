/** Work on many things as it is kept in a file: what was agreed to, and how far each thing is. */

import { isObject } from "../../api/shape.ts";
import { groupedBy, normalisedError } from "../../run/repair/failureGroups.ts";
import { type ConnectionSetting, runsHere, type Strictness } from "../connections/connection.ts";
import { localTime } from "../kit/words.ts";

/**
 * How far a thing is. "sending": the request is on its way, or its answer never came. "sent": what it began goes on.
 * "left": it is not touched any more.
 */
export type ItemState = "waiting" | "sending" | "sent" | "done" | "failed" | "left";

/** One thing of a job; what tells it from others on its connection stands beside. */
export interface BulkItem {
  readonly connectionId: string;
  readonly name: string;
  /** Its version when a person agreed: another one now means that somebody else changed it. */
  readonly before: string | null;
  readonly words: string;
  readonly state: ItemState;
  /** What was begun for it and is followed: the id of a revision or a run. */
  readonly made?: string;
  /** What there is to say of its state. */
  readonly said?: string;
}

/** A connection as it was when a person agreed. */
export interface AgreedConnection {
  readonly connectionId: string;
  readonly name: string;
  readonly strictness: Strictness;
  /** Its addresses, as one text. */
  readonly addresses: string;
}

/** A whole job as it is stored; no secret is in it. */
export interface BulkJob<Item extends BulkItem = BulkItem, Change extends AnyChange = AnyChange> {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** "Redeploy 12 deployments". */
  readonly title: string;
  /** What became of a thing that is done: "deployed". */
  readonly doneWord: string;
  readonly change: Change;
  readonly pace: Pace;
  readonly agreed: readonly AgreedConnection[];
  readonly items: readonly Item[];
  /** Whether one was tried, and a person wanted the others. */
  readonly isTried: boolean;
}

/** What is done to each. */
export interface AnyChange {
  readonly kind: string;
}

/** How fast it goes. */
export interface Pace {
  /** How many are on their way at a time. */
  readonly atOnce: number;
  /** At least so long from one beginning to the next, in milliseconds. */
  readonly everyMs: number;
  /** When so many fail in a row, a person is asked whether to go on. */
  readonly mostFailures: number;
}

/** What is begun: a job without what it gets when it begins. */
export type NewJob<Job extends BulkJob = BulkJob> = Omit<Job, "id" | "startedAt">;

/** What a person agrees to of a connection. */
export function agreementOn(connection: ConnectionSetting): AgreedConnection {
  const { id, name, kind, url, controlPlaneUrl, workspaceId } = connection;
  const { protected: strictness = "nothing" } = connection;
  const addresses = runsHere(connection) ? kind : JSON.stringify([url, controlPlaneUrl, workspaceId]);
  return { connectionId: id, name, strictness, addresses };
}

/** Why nothing is sent to a connection any more, as one sentence; undefined as long as it is what was agreed to. */
export function hindranceAt(
  agreed: AgreedConnection | undefined,
  now: ConnectionSetting | undefined,
): string | undefined {
  if (agreed === undefined) return "Nobody was asked about this connection.";
  if (now === undefined) return `The connection “${agreed.name}” was removed.`;
  const current = agreementOn(now);
  if (current.addresses !== agreed.addresses) return `The addresses of “${now.name}” were changed.`;
  if (current.strictness !== agreed.strictness) return `The protection of “${now.name}” was changed.`;
  return undefined;
}

/** Whether anything is left to do. */
export function isOver({ items }: Pick<BulkJob, "items">): boolean {
  return items.every(isEnded);
}

/** Whether nothing more is done to it. */
export function isEnded({ state }: BulkItem): boolean {
  return state === "done" || state === "failed" || state === "left";
}

/** "3 deployed, 1 failed, 8 not sent". */
export function progressText({ items, doneWord }: Pick<BulkJob, "items" | "doneWord">): string {
  const count = (...states: readonly ItemState[]): number =>
    items.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [count("done"), doneWord],
    [count("sent", "sending"), "on the way"],
    [count("failed"), "failed"],
    [count("left"), "left out"],
    [count("waiting"), "not sent"],
  ] as const;
  return parts
    .flatMap(([number, words]) => (number === 0 ? [] : `${number.toLocaleString("en-US")} ${words}`))
    .join(", ");
}

/** The report: what was done where, and what was not. */
export function reportText(job: BulkJob, nameOf: (connectionId: string) => string | undefined): string {
  const agreed = new Map(job.agreed.map((one) => [one.connectionId, one]));
  const words = { ...STATE_WORDS, done: job.doneWord };
  const sections = [...agreed.values()].map(({ connectionId, name, strictness }) => {
    const now = nameOf(connectionId);
    const renamed = now === undefined || now === name ? "" : `, now “${now}”`;
    const note = strictness === "nothing" ? "" : " (protected)";
    const items = job.items.filter((item) => item.connectionId === connectionId);
    const width = Math.max(...items.map((item) => item.name.length));
    const lines = items.map(({ name: called, words: what, state, said = "", made = "" }) =>
      [`  ${words[state].padEnd(11)}${called.padEnd(width)}`, what, said, made]
        .filter((part) => part !== "")
        .join("  "),
    );
    return [`${name}${renamed}${note}`, ...lines, ""].join("\n");
  });
  const began = localTime(new Date(job.startedAt).toISOString());
  return [
    job.title,
    `Began ${began}: ${progressText(job)}.`,
    "",
    ...reasonsOf(job, "failed", "What failed, and why:"),
    ...reasonsOf(job, "left", "What was left out, and why:"),
    ...sections,
  ].join("\n");
}

/** The reasons by how often they are given, for a report that is too long to be read line by line. */
function reasonsOf({ items }: BulkJob, state: ItemState, heading: string): readonly string[] {
  const those = items.filter((item) => item.state === state);
  if (those.length < 2) return [];
  const groups = groupedBy(those, ({ said = "" }) => normalisedError(said));
  return [
    heading,
    ...groups.map((group) => `  ${String(group.length).padStart(5)}  ${group[0]?.said ?? ""}`),
    "",
  ];
}

/** Reads what was kept; undefined for what is no job. */
export function parseJob(value: unknown): BulkJob | undefined {
  if (!isObject(value)) return undefined;
  const { id, startedAt, title, doneWord, change, pace, items, agreed } = value;
  const isJob =
    [id, title, doneWord].every((text) => typeof text === "string") &&
    typeof startedAt === "number" &&
    [change, pace].every(isObject) &&
    [items, agreed].every((list) => Array.isArray(list) && list.every(isObject));
  return isJob ? (value as unknown as BulkJob) : undefined;
}

const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  waiting: "not sent",
  sending: "on the way",
  sent: "on the way",
  done: "done",
  failed: "failed",
  left: "left out",
};
