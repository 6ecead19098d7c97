/** Which deployments are wanted, and in which order; a filter can be saved under a name. */

import type { DeploymentStatus } from "../../api/controlPlane/wire.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";
import { dotted } from "../kit/words.ts";
import { type DeploymentFacts, nameOf } from "./deploymentFacts.ts";
import { type StateKind, STATES, stateOf } from "./deploymentState.ts";
import { statusWords } from "./revisionStatus.ts";

/** Orders other than the platform's own. */
export type DeploymentOrder = keyof typeof ORDERS;

/** What is wanted; nothing given means all, as the platform lists them. */
export interface DeploymentFilter {
  /** A part of the name. */
  readonly name?: string;
  /** How it is as a whole, by its own status and its latest revision's. */
  readonly state?: StateKind;
  /** Its own status alone, as the server spells it. */
  readonly status?: DeploymentStatus;
  readonly order?: DeploymentOrder;
}

/** A filter with the name that a person gave it. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: DeploymentFilter;
}

/** The orders, as they are told after "by". */
export const ORDERS = { name: "name", changed: "last change", state: "state, failed first" } as const;

const mostSaved = 50;
const states = Object.keys(STATES) as readonly StateKind[];

/** Whether a deployment matches the filter; one that could not be read always does. */
export function isWanted(facts: DeploymentFacts, { name, status, state }: DeploymentFilter): boolean {
  const { deployment } = facts;
  if (deployment === undefined) return true;
  if (status !== undefined && deployment.status !== status) return false;
  if (state !== undefined && stateOf(facts).kind !== state) return false;
  const text = `${deployment.name ?? ""}\n${deployment.display_name ?? ""}\n${deployment.id}`;
  return name === undefined || text.toLowerCase().includes(name.toLowerCase());
}

/** The matching ones in the order of the filter; equal ones keep theirs. */
export function arranged(
  facts: readonly DeploymentFacts[],
  filter: DeploymentFilter,
): readonly DeploymentFacts[] {
  const wanted = facts.filter((one) => isWanted(one, filter));
  switch (filter.order) {
    case undefined:
      return wanted;
    case "name":
      return wanted.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
    case "changed":
      return wanted.toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)));
    case "state":
      return wanted.toSorted((one, other) => rankOf(one) - rankOf(other));
    default:
      return filter.order satisfies never;
  }
}

/** Whether all deployments have to be read, because the platform can't find or order them so. */
export function needsAll({ state, order }: DeploymentFilter): boolean {
  return state !== undefined || order !== undefined;
}

/** Whether any deployment may be left out. */
export function isFiltering({ name, state, status }: DeploymentFilter): boolean {
  return name !== undefined || state !== undefined || status !== undefined;
}

/** The filter in words: `“support” · failed · by name`; "" without one. */
export function describeDeploymentFilter({ name, state, status, order }: DeploymentFilter): string {
  return dotted([
    name === undefined ? "" : `“${name}”`,
    state === undefined ? "" : STATES[state],
    status === undefined ? "" : statusWords(status),
    order === undefined ? "" : `by ${ORDERS[order]}`,
  ]);
}

/** A filter that was kept, or none when it can't be read. */
export function deploymentFilterFrom(kept: unknown): DeploymentFilter {
  if (kept === null || typeof kept !== "object") return {};
  const { name, state, status, order } = kept as Readonly<Record<string, unknown>>;
  const knownState = states.find((one) => one === state);
  const knownOrder = (Object.keys(ORDERS) as DeploymentOrder[]).find((one) => one === order);
  return {
    ...(typeof name === "string" && { name }),
    ...(knownState !== undefined && { state: knownState }),
    ...(typeof status === "string" && { status }),
    ...(knownOrder !== undefined && { order: knownOrder }),
  };
}

/** The filters that were saved, in all windows. */
export class SavedFilters {
  readonly #kept: KeptList<SavedFilter>;

  constructor(memory: Memory) {
    this.#kept = new KeptList(memory, "deployments.savedFilters", ({ name }) => name, mostSaved);
  }

  get all(): readonly SavedFilter[] {
    return this.#kept.items.map(({ name, filter }) => ({ name, filter: deploymentFilterFrom(filter) }));
  }

  /** Replaces one of this name. */
  async save(saved: SavedFilter): Promise<void> {
    await this.#kept.keep(saved);
  }

  async remove(name: string): Promise<void> {
    await this.#kept.forget(name);
  }
}

function changedAt({ deployment }: DeploymentFacts): string {
  return deployment?.updated_at ?? deployment?.created_at ?? "";
}

function rankOf(facts: DeploymentFacts): number {
  return states.indexOf(stateOf(facts).kind);
}
