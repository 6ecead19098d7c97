/** The deployments of all platforms: what is known of them, where their agent servers are, and what is done to them. */

import * as vscode from "vscode";
import type { Deployment, DeploymentCreate, DeploymentPatch } from "../../api/controlPlane/wire.ts";
import { isGone, unlessGone } from "../../api/errors.ts";
import type { AgentServerRef, DeploymentRef, RevisionRef } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { Platforms } from "../connections/platforms.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { AllDeployments, type KnownDeployments } from "./allDeployments.ts";
import { type DeploymentFacts, DeploymentReader, nameOf } from "./deploymentFacts.ts";
import {
  type DeploymentFilter,
  deploymentFilterFrom,
  isWanted,
  needsAll,
  SavedFilters,
} from "./deploymentFilter.ts";
import { agentServerOf, DeploymentServers, runningServer } from "./deploymentServers.ts";
import { DeploymentList } from "./deploymentList.ts";
import { PlatformDeployments } from "./platformDeployments.ts";
import { RememberedDeployments } from "./rememberedDeployments.ts";

const filterName = "deployments.filter";
/** The most deployments that are read where all of a platform are meant. */
const mostServers = 1000;

/** Knows deployments and their agent servers across connections. */
export class Deployments implements vscode.Disposable {
  readonly #platforms: Platforms;
  readonly #workspaceState: vscode.Memento;
  readonly #remembered: RememberedDeployments;
  readonly #servers = new DeploymentServers();
  readonly #all: AllDeployments;
  readonly #readers = new Map<string, DeploymentReader>();
  readonly #lists = new Map<string, PlatformDeployments>();
  readonly #changed = new vscode.EventEmitter<DeploymentRef>();
  /** Something was done to a deployment here, or became of it: what is known of it is out of date. */
  readonly onDidChange = this.#changed.event;
  readonly #lost = new vscode.EventEmitter<DeploymentRef>();
  /** A deployment is there no more: it was deleted, here or elsewhere, or nothing lists it any longer. */
  readonly onDidLose = this.#lost.event;
  readonly #read = new vscode.EventEmitter<void>();
  /** More is known of deployments or revisions, or others are wanted. */
  readonly onDidRead = this.#read.event;
  readonly #subscription: vscode.Disposable;
  /** The filters that people gave names. */
  readonly saved: SavedFilters;
  readonly #gone = new AbortController();
  #isSeen = (): boolean => false;
  #filter: DeploymentFilter;

  constructor(
    connections: Connections,
    platforms: Platforms,
    { globalState, workspaceState }: Pick<vscode.ExtensionContext, "globalState" | "workspaceState">,
  ) {
    this.#platforms = platforms;
    this.#workspaceState = workspaceState;
    this.#remembered = new RememberedDeployments(globalState);
    this.#all = new AllDeployments({
      list: (connectionId) => this.#list(connectionId, {}, mostServers),
      lost: (ref) => this.#lose(ref),
    });
    this.saved = new SavedFilters(globalState);
    this.#filter = deploymentFilterFrom(workspaceState.get(filterName));
    // A Local Platform that starts again has another address.
    this.#subscription = connections.onDidChange(() => this.#servers.clear());
  }

  /** Which deployments are wanted, on all platforms. */
  get filter(): DeploymentFilter {
    return this.#filter;
  }

  async setFilter(filter: DeploymentFilter): Promise<void> {
    this.#filter = filter;
    await this.#workspaceState.update(filterName, filter);
    this.#remembered.forgetFound();
    for (const deployments of this.#lists.values()) deployments.forget();
    this.#read.fire();
  }

  /** Those of a connection that the filter wants, as far as they were read; nothing is asked before it is loaded. */
  of(connectionId: string): PlatformDeployments {
    const known = this.#lists.get(connectionId);
    if (known !== undefined) return known;
    const made = new PlatformDeployments(connectionId, {
      list: () => this.#list(connectionId, this.#filter, pageSize()),
      controlPlane: () => this.#platforms.controlPlane(connectionId),
      changed: () => {
        this.#servers.note(connectionId, made.items);
        this.#read.fire();
      },
    });
    this.#lists.set(connectionId, made);
    return made;
  }

  /** Forgets what was read of a connection: its address or its key changed. */
  forget(connectionId: string): void {
    this.#all.forget(connectionId);
    this.#lists.get(connectionId)?.forget();
  }

  /** What was read of a deployment; undefined when it is not listed. */
  find({ connectionId, deploymentId }: DeploymentRef): DeploymentFacts | undefined {
    return this.#lists.get(connectionId)?.find(deploymentId);
  }

  /** What people call a deployment as far as it was read; its id where it was not. */
  knownName(ref: DeploymentRef): string {
    return nameOf(this.find(ref) ?? { id: ref.deploymentId, deployment: undefined });
  }

  /** What people call a deployment; asks when that is not known. */
  async nameOf(ref: DeploymentRef): Promise<string> {
    const known = this.find(ref);
    if (known?.deployment !== undefined) return nameOf(known);
    return nameOf({ id: ref.deploymentId, deployment: await this.get(ref) });
  }

  /** Every status that was read of a deployment. */
  get statuses(): readonly string[] {
    const items = [...this.#lists.values()].flatMap((deployments) => deployments.items);
    return [...new Set(items.flatMap(({ deployment }) => deployment?.status ?? []))];
  }

  /** Every deployment whatever the filter wants, up to a bound; throws what keeps them from being listed. */
  async all(connectionId: string, signal?: AbortSignal): Promise<readonly DeploymentFacts[]> {
    if (!this.#platforms.hasControlPlane(connectionId)) return [];
    const items = await this.#all.load(connectionId, signal);
    this.#servers.note(connectionId, items);
    return items;
  }

  /** What `all` gave last, and why it failed since. */
  allKnown(connectionId: string): KnownDeployments {
    return this.#all.known(connectionId);
  }

  /** How many deployments are listed of a connection when all pages are; undefined as long as that is not known. */
  total(connectionId: string): number | undefined {
    const { items } = this.allKnown(connectionId);
    if (items.length === 0 || this.#all.cutAt(connectionId) !== undefined || needsAll(this.#filter))
      return undefined;
    const counted = items.filter((facts) => isWanted(facts, this.#filter));
    const listed = this.of(connectionId).items.filter(({ origin }) => origin === "listed");
    // They were counted before or after one came or went when their beginning is not what is listed.
    return listed.every(({ id }, index) => counted[index]?.id === id) ? counted.length : undefined;
  }

  /** The agent servers of deployments that run, up to a bound; throws what keeps them from being listed. */
  async servers(connectionId: string, signal?: AbortSignal): Promise<readonly AgentServerRef[]> {
    const all = await this.all(connectionId, signal);
    return all.flatMap((facts) => runningServer(connectionId, facts) ?? []);
  }

  /** How many deployments `all` read of a platform that has more; undefined where it read all. */
  cutAt(connectionId: string): number | undefined {
    return this.#all.cutAt(connectionId);
  }

  /** The agent server of one deployment, running or not; undefined when it has no address. */
  async server(ref: DeploymentRef): Promise<AgentServerRef | undefined> {
    const { connectionId } = ref;
    const known = this.#servers.find(ref);
    if (known !== undefined || !this.#platforms.hasControlPlane(connectionId)) return known;
    const deployment = await this.get(ref);
    this.#servers.note(connectionId, [{ deployment }]);
    return agentServerOf(connectionId, deployment);
  }

  /** The deployment as the control plane has it now. */
  async get({ connectionId, deploymentId }: DeploymentRef): Promise<Deployment> {
    const { deployments } = await this.#platforms.controlPlane(connectionId);
    return deployments.get(deploymentId);
  }

  /** Creates a deployment, and remembers it for control planes without a list. */
  async create(connectionId: string, body: DeploymentCreate): Promise<Deployment> {
    const { deployments } = await this.#platforms.controlPlane(connectionId);
    const made = await deployments.create(body);
    await this.#remember({ connectionId, deploymentId: made.id }, "created");
    return made;
  }

  /** The deployment as it is after the change. */
  async patch(ref: DeploymentRef, body: DeploymentPatch): Promise<Deployment> {
    const { deployments } = await this.#platforms.controlPlane(ref.connectionId);
    const answer = await deployments.patch(ref.deploymentId, body);
    this.changed(ref);
    return answer ?? (await deployments.get(ref.deploymentId));
  }

  /** Asks whether a deployment was deleted elsewhere; if so, it goes from what is known. */
  async isDeleted(ref: DeploymentRef): Promise<boolean> {
    if (!(await this.get(ref).then(() => false, isGone))) return false;
    this.#lose(ref);
    this.changed(ref);
    return true;
  }

  /** Deletes a deployment; one that is gone already counts as deleted. */
  async delete(ref: DeploymentRef): Promise<void> {
    const { deployments } = await this.#platforms.controlPlane(ref.connectionId);
    await deployments.delete(ref.deploymentId).catch(unlessGone);
    this.#lose(ref);
    if (!(await this.removeFromList(ref))) this.changed(ref);
  }

  /** Makes a new revision from an older one; the id of the new one, if the control plane says it. */
  async redeploy(ref: RevisionRef): Promise<string | undefined> {
    const { revisions } = await this.#platforms.controlPlane(ref.connectionId);
    const answer = await revisions.redeploy(ref.deploymentId, ref.revisionId);
    this.changed(ref);
    return (answer ?? (await this.get(ref))).latest_revision_id ?? undefined;
  }

  /** Stops a revision on its way. */
  async interrupt(ref: RevisionRef): Promise<void> {
    const { revisions } = await this.#platforms.controlPlane(ref.connectionId);
    await revisions.interrupt(ref.deploymentId, ref.revisionId);
    this.changed(ref);
  }

  /** Lists a deployment that is known by its id, until it is removed from the list. */
  async addById(ref: DeploymentRef): Promise<void> {
    await this.#remember(ref, "added");
  }

  /** Lists a deployment that a person searched for, wherever it stands in the platform's own list. */
  async showFound({ connectionId, deploymentId: id }: DeploymentRef, signal?: AbortSignal): Promise<void> {
    this.#remembered.find({ connectionId, deploymentId: id });
    await this.of(connectionId).refresh(id, signal);
  }

  /** Forgets the id of a deployment that was added or created here; false when it was not remembered. */
  async removeFromList(ref: DeploymentRef): Promise<boolean> {
    const wasThere = await this.#remembered.forget(ref);
    if (wasThere && this.find(ref)?.origin !== "listed") this.#lose(ref);
    if (wasThere) this.changed(ref);
    return wasThere;
  }

  /** Something became of a deployment: who shows it reads it anew. */
  changed(ref: DeploymentRef): void {
    this.#changed.fire(ref);
    // While nobody can see it, the next poll is early enough.
    if (this.#isSeen()) void this.#lists.get(ref.connectionId)?.refresh(ref.deploymentId, this.#gone.signal);
  }

  /** Who shows deployments says whether somebody can see them. */
  shownWhile(isSeen: () => boolean): void {
    this.#isSeen = isSeen;
  }

  dispose(): void {
    this.#gone.abort();
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#lost.dispose();
    this.#read.dispose();
  }

  #lose(ref: DeploymentRef): void {
    this.#servers.forget(ref);
    this.#lost.fire(ref);
  }

  #list(connectionId: string, filter: DeploymentFilter, most: number): DeploymentList {
    return new DeploymentList(() => this.#platforms.controlPlane(connectionId), {
      filter,
      pageSize: most,
      remembered: () => this.#remembered.on(connectionId),
      reader: this.#reader(connectionId),
    });
  }

  /** One for all lists of a connection: a revision that has ended is asked for once. */
  #reader(connectionId: string): DeploymentReader {
    const reader = this.#readers.get(connectionId) ?? new DeploymentReader();
    this.#readers.set(connectionId, reader);
    return reader;
  }

  async #remember(ref: DeploymentRef, origin: "added" | "created"): Promise<void> {
    if (await this.#remembered.keep(ref, origin)) this.changed(ref);
  }
}

function pageSize(): number {
  return vscode.workspace.getConfiguration(SECTION).get(SETTINGS.deploymentsPageSize, 20);
}
