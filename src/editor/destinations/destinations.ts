/** Destinations and export jobs of the platforms; where a service lists no destinations, those made here. */

import * as vscode from "vscode";
import type { Credentials, Destination, DestinationCreate } from "../../api/bulkExports/destinations.ts";
import { mayBeDone } from "../../api/errors.ts";
import type {
  BulkExport,
  BulkExportRun,
  ExportCreate,
  ExportStatus,
} from "../../api/bulkExports/bulkExport.ts";
import type { Platforms } from "../connections/platforms.ts";
import { type Failure, Fetched } from "../kit/fetching/fetched.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";

/** One destination, as commands and rows name it. */
export interface DestinationRef {
  readonly connectionId: string;
  readonly destinationId: string;
  readonly name: string;
}

/** One export job or schedule. */
export interface ExportRef {
  readonly connectionId: string;
  readonly exportId: string;
  readonly name: string;
  readonly status: ExportStatus;
}

/** What one platform has. */
export interface ExportFacts {
  readonly destinations: readonly Destination[];
  /** False when the service has no list, so that only destinations made here are known. */
  readonly listed: boolean;
  /** Undefined when the service has no export jobs. */
  readonly jobs: readonly BulkExport[] | undefined;
}

/** What is remembered of a destination that was made here: no key, and nothing of where it writes. */
interface RememberedDestination {
  readonly connectionId: string;
  readonly id: string;
  readonly name: string;
}

/** What is known of each platform's destinations and exports. Methods throw ConnectionError and ApiError. */
export class Destinations implements vscode.Disposable {
  readonly #platforms: Pick<Platforms, "destinations" | "exportJobs">;
  readonly #remembered: KeptList<RememberedDestination>;
  readonly #facts = new Map<string, Fetched<ExportFacts>>();
  readonly #changed = new vscode.EventEmitter<{ readonly connectionId: string }>();
  /** Something of a platform was changed here, or an export that is watched has ended; it was fetched anew. */
  readonly onDidChange = this.#changed.event;

  constructor(platforms: Pick<Platforms, "destinations" | "exportJobs">, memory: Memory) {
    this.#platforms = platforms;
    this.#remembered = new KeptList<RememberedDestination>(memory, "destinations.created", keyOf);
  }

  /** What a platform has, asked now. */
  async list(connectionId: string, signal?: AbortSignal): Promise<ExportFacts> {
    const destinations = await this.#platforms.destinations(connectionId);
    const jobs = await this.#platforms.exportJobs(connectionId);
    const [listed, known] = await Promise.all([destinations.list({ signal }), jobs.list({ signal })]);
    if (listed !== undefined) return { destinations: listed, listed: true, jobs: known };
    const own = this.#remembered.items.filter((one) => one.connectionId === connectionId);
    const remembered = await Promise.all(
      own.map(async ({ id, name }) => (await destinations.get(id, { signal })) ?? { id, display_name: name }),
    );
    return { destinations: remembered, listed: false, jobs: known };
  }

  /** What was fetched of a platform last; undefined before that. */
  known(connectionId: string): ExportFacts | undefined {
    return this.#of(connectionId).value;
  }

  /** Why a platform could not be asked the last time. */
  failure(connectionId: string): Failure | undefined {
    return this.#of(connectionId).failure;
  }

  /** Makes `known` anew; a failure is kept. */
  async fetch(connectionId: string, signal: AbortSignal): Promise<void> {
    await this.#of(connectionId).load(() => this.list(connectionId, signal), signal);
  }

  /** Forgets what was fetched: the connection or its key is another one. */
  reset(connectionId: string): void {
    this.#of(connectionId).reset();
  }

  /** Makes a destination after the service's test write into the bucket. */
  async create(connectionId: string, body: DestinationCreate, signal: AbortSignal): Promise<DestinationRef> {
    const destinations = await this.#platforms.destinations(connectionId);
    const { id } = await destinations.create(body, { signal });
    const name = body.display_name;
    await this.#remembered.keep({ connectionId, id, name });
    await this.changed(connectionId);
    return { connectionId, destinationId: id, name };
  }

  /** Replaces a destination's credentials after a test write with the new ones. */
  async rotate(ref: DestinationRef, credentials: Credentials, signal: AbortSignal): Promise<void> {
    const destinations = await this.#platforms.destinations(ref.connectionId);
    await destinations.rotate(ref.destinationId, credentials, { signal });
    await this.changed(ref.connectionId);
  }

  /** Shows a destination no longer that is known only because it was made here. */
  async forget({ connectionId, destinationId: id }: DestinationRef): Promise<void> {
    await this.#remembered.forget(keyOf({ connectionId, id }));
    await this.changed(connectionId);
  }

  /** Starts an export or a schedule. */
  async startExport(connectionId: string, body: ExportCreate): Promise<BulkExport> {
    const jobs = await this.#platforms.exportJobs(connectionId);
    try {
      const made = await jobs.create(body);
      await this.changed(connectionId);
      return made;
    } catch (error) {
      // Where its answer was lost, it may be there; what went wrong is told without waiting for the list.
      if (mayBeDone(error)) void this.changed(connectionId);
      throw error;
    }
  }

  async cancelExport({ connectionId, exportId }: ExportRef): Promise<void> {
    await (await this.#platforms.exportJobs(connectionId)).cancel(exportId);
    await this.changed(connectionId);
  }

  async job(
    { connectionId, exportId }: Pick<ExportRef, "connectionId" | "exportId">,
    signal: AbortSignal,
  ): Promise<BulkExport> {
    return (await this.#platforms.exportJobs(connectionId)).get(exportId, { signal });
  }

  /** The parts of an export. */
  async runs(
    { connectionId, exportId }: Pick<ExportRef, "connectionId" | "exportId">,
    signal: AbortSignal,
  ): Promise<readonly BulkExportRun[]> {
    return (await this.#platforms.exportJobs(connectionId)).runs(exportId, { signal });
  }

  /** Fetches anew what is known of a platform, and says so. */
  async changed(connectionId: string): Promise<void> {
    await this.fetch(connectionId, AbortSignal.timeout(60_000));
    this.#changed.fire({ connectionId });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #of(connectionId: string): Fetched<ExportFacts> {
    const known = this.#facts.get(connectionId) ?? new Fetched<ExportFacts>(() => undefined);
    this.#facts.set(connectionId, known);
    return known;
  }
}

function keyOf({ connectionId, id }: Pick<RememberedDestination, "connectionId" | "id">): string {
  return `${connectionId} ${id}`;
}
