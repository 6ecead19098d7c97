/** The deployments of one control plane: listed page by page, or known by their ids, and kept up to date. */

import type { Deployment } from "../../api/controlPlane/wire.ts";
import { isUnsupported } from "../../api/capabilities.ts";
import { isGone } from "../../api/errors.ts";
import {
  type DeploymentFacts,
  DeploymentReader,
  type DeploymentSource,
  isUnsettled,
} from "./deploymentFacts.ts";
import { arranged, type DeploymentFilter, needsAll } from "./deploymentFilter.ts";

/** A deployment that is known by its id. */
export interface RememberedDeployment {
  readonly id: string;
  /** "found" for one that a person searched for: it stays in the list although its page was not read. */
  readonly origin: Exclude<DeploymentFacts["origin"], "listed">;
}

/** Which deployments are listed, and how many at once. */
export interface DeploymentListOptions {
  readonly filter: DeploymentFilter;
  readonly pageSize: number;
  /** The most that are read where the platform can't find or order them as the filter wants. */
  readonly most?: number;
  /** The deployments that are known by id, asked for anew whenever they are needed. */
  readonly remembered: () => readonly RememberedDeployment[];
  /** Reads them, with what it knows of revisions that have ended; one of the list's own unless given. */
  readonly reader?: DeploymentReader;
}

const largestPage = 100;
const mostRead = 1000;
const atOnce = 6;

/** Grows page by page, and falls back to what is known by id where the server has no list. */
export class DeploymentList {
  readonly #source: () => Promise<DeploymentSource>;
  readonly #options: DeploymentListOptions;
  readonly #reader: DeploymentReader;
  /** All that were read, wanted or not: those that the server listed first. */
  #read: readonly DeploymentFacts[] = [];
  #items: readonly DeploymentFacts[] = [];
  #nextOffset: number | undefined;
  #isListed = true;
  #loaded = false;
  /** Counts the polls, so that remembered deployments take turns. */
  #polls = 0;

  constructor(source: () => Promise<DeploymentSource>, options: DeploymentListOptions) {
    this.#source = source;
    this.#options = options;
    this.#reader = options.reader ?? new DeploymentReader();
  }

  /** Those that the filter wants, in its order: else those that the server listed first, then those known by id. */
  get items(): readonly DeploymentFacts[] {
    return this.#items;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Whether the server has a list; if not, the items are only what is known by id. */
  get isListed(): boolean {
    return this.#isListed;
  }

  /** Whether the server has more. */
  get hasMore(): boolean {
    return this.#nextOffset !== undefined;
  }

  /** Whether anything is on its way, or in a status of which nobody knows. */
  get busy(): boolean {
    return this.#read.some(isUnsettled);
  }

  /** Reads the first page, or as many pages as were read before. */
  async load(signal?: AbortSignal): Promise<void> {
    const source = await this.#source();
    const { filter, most = mostRead, pageSize } = this.#options;
    const wanted = Math.max(needsAll(filter) ? most : pageSize, this.#listed.length);
    let [listed, next]: [readonly Deployment[], number | undefined] = [[], 0];
    let isListed = true;
    try {
      while (listed.length < wanted && next !== undefined)
        [listed, next] = await this.#page(source, listed, next, wanted - listed.length, signal);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      [isListed, next] = [false, undefined];
    }
    this.#keep(await this.#itemsOf(source, listed, undefined, signal));
    [this.#isListed, this.#nextOffset, this.#loaded] = [isListed, next, true];
  }

  /** Adds the next page. */
  async loadMore(signal?: AbortSignal): Promise<void> {
    if (this.#nextOffset === undefined) return;
    const source = await this.#source();
    const { pageSize } = this.#options;
    const [listed, next] = await this.#page(source, this.#listed, this.#nextOffset, pageSize, signal);
    this.#keep(await this.#itemsOf(source, listed, new Set(), signal));
    this.#nextOffset = next;
  }

  /** Asks again with as few requests as will do; true when something changed. */
  async poll(signal?: AbortSignal): Promise<boolean> {
    const before = this.#read;
    if (!this.#loaded) await this.load(signal);
    else {
      const source = await this.#source();
      const [listed, next] = this.#isListed ? await this.#newest(source, signal) : [[], undefined];
      const rows = await this.#itemsOf(source, listed, this.#due(), signal);
      // A page that came meanwhile, or what somebody did to one, would be lost: the next poll finds the rest.
      if (this.#read === before) {
        this.#keep(rows);
        this.#nextOffset = next;
      }
    }
    return JSON.stringify(before) !== JSON.stringify(this.#read);
  }

  /** Reads one deployment anew, and puts it in if it is new; one that was listed and is gone is taken out. */
  async refresh(id: string, signal?: AbortSignal): Promise<void> {
    const now = (): DeploymentFacts | undefined => this.#read.find((row) => row.id === id);
    const origin = now()?.origin ?? this.#origin(id);
    const fresh = await this.#reader.read(await this.#source(), { id, origin }, signal);
    if (isGone(fresh.error) && !isKept(fresh)) this.remove(id);
    // Meanwhile another question may have put it in.
    else if (now() !== undefined) this.#keep(this.#read.map((row) => (row.id === id ? fresh : row)));
    else this.#keep([fresh, ...this.#read]);
  }

  /** Takes out what was deleted or is not wanted any more. */
  remove(id: string): void {
    this.#keep(this.#read.filter((row) => row.id !== id));
  }

  #keep(read: readonly DeploymentFacts[]): void {
    this.#read = read;
    this.#items = arranged(read, this.#options.filter);
  }

  get #listed(): readonly Deployment[] {
    return this.#read.flatMap(({ origin, deployment }) => (origin === "listed" ? (deployment ?? []) : []));
  }

  #origin(id: string): DeploymentFacts["origin"] {
    return this.#options.remembered().find((deployment) => deployment.id === id)?.origin ?? "listed";
  }

  async #page(
    source: DeploymentSource,
    before: readonly Deployment[],
    offset: number,
    wanted: number,
    signal: AbortSignal | undefined,
  ): Promise<[readonly Deployment[], number | undefined]> {
    const { name, status } = this.#options.filter;
    const limit = Math.min(largestPage, wanted);
    const query = { name_contains: name, status, limit, offset };
    const { deployments, nextOffset } = await source.deployments.page(query, { signal });
    const known = new Set(before.map(({ id }) => id));
    return [[...before, ...deployments.filter(({ id }) => !known.has(id))], nextOffset];
  }

  /**
   * The first page anew, and after it what was read of later ones, of which one page is read anew in turn; with the
   * offset to go on from.
   */
  async #newest(
    source: DeploymentSource,
    signal: AbortSignal | undefined,
  ): Promise<[readonly Deployment[], number | undefined]> {
    const listed = this.#listed;
    const limit = Math.min(largestPage, Math.max(this.#options.pageSize, listed.length));
    const [first, next] = await this.#page(source, [], 0, limit, signal);
    if (next === undefined) return [first, undefined];
    const ids = new Set(first.map(({ id }) => id));
    const later = (await this.#inTurn(source, listed, limit, signal)).filter(({ id }) => !ids.has(id));
    return [[...first, ...later], listed.length <= limit ? next : this.#nextOffset];
  }

  async #inTurn(
    source: DeploymentSource,
    listed: readonly Deployment[],
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly Deployment[]> {
    const later = listed.slice(limit);
    const pages = Math.ceil(later.length / limit);
    if (pages === 0) return later;
    const offset = limit * (1 + (this.#polls % pages));
    const [fresh] = await this.#page(source, [], offset, limit, signal);
    const byId = new Map(fresh.map((deployment) => [deployment.id, deployment]));
    return later.map((deployment) => byId.get(deployment.id) ?? deployment);
  }

  /** What is on its way, and one of the others in turn: somebody may have changed or deleted it elsewhere. */
  #due(): ReadonlySet<string> {
    const remembered = this.#read.filter(({ origin }) => origin !== "listed");
    const inTurn = remembered[this.#polls++ % Math.max(1, remembered.length)];
    const pending = remembered.filter(isUnsettled);
    return new Set([...pending, ...(inTurn === undefined ? [] : [inTurn])].map(({ id }) => id));
  }

  /** Listed deployments, then remembered ones; of those, only `due` ones are asked for if they are known. */
  async #itemsOf(
    source: DeploymentSource,
    listed: readonly Deployment[],
    due: ReadonlySet<string> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly DeploymentFacts[]> {
    const rows = await inTurns(listed, (deployment) =>
      this.#reader.complete(source, { id: deployment.id, origin: "listed", deployment }, signal),
    );
    const known = new Map(this.#read.map((row) => [row.id, row]));
    const ids = new Set(listed.map(({ id }) => id));
    const others = this.#options.remembered().filter(({ id }) => !ids.has(id));
    const more = await inTurns(others, async ({ id, origin }) => {
      const before = known.get(id);
      if (before !== undefined && due?.has(id) === false) return { ...before, origin };
      return this.#reader.read(source, { id, origin }, signal);
    });
    return [...rows, ...more.filter((row) => isKept(row) || !isGone(row.error))];
  }
}

/** Whether a person put it into the list, who takes it out again. */
function isKept({ origin }: DeploymentFacts): boolean {
  return origin === "added" || origin === "created";
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    done.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return done;
}
