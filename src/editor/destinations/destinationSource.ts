/** Destinations and export jobs of the platforms; where a service lists no destinations, those made here. */

import type * as vscode from "vscode";
import type { BulkExports } from "../../api/bulkExports/index.ts";
import type { BulkExport, Destination } from "../../api/bulkExports/wire.ts";
import type { Platforms } from "../connections/platforms.ts";

/** A destination that is known here by its id and name alone. */
export interface RememberedDestination {
  readonly connectionId: string;
  readonly id: string;
  readonly name: string;
}

/** What one platform has. */
export interface ExportFacts {
  readonly destinations: readonly Destination[];
  /** False when the service has no list, so that only destinations made here are known. */
  readonly listed: boolean;
  /** Undefined when the service has no export jobs. */
  readonly jobs: readonly BulkExport[] | undefined;
}

const memoryKey = "destinations.created";

/** What is known of each platform's destinations and exports, whether it lists them or not. */
export class DestinationSource {
  readonly #platforms: Pick<Platforms, "bulkExports">;
  readonly #memory: vscode.Memento;

  constructor(platforms: Pick<Platforms, "bulkExports">, memory: vscode.Memento) {
    this.#platforms = platforms;
    this.#memory = memory;
  }

  /** The client of a platform; throws ConnectionError. */
  client(connectionId: string): Promise<BulkExports> {
    return this.#platforms.bulkExports(connectionId);
  }

  async facts(connectionId: string, signal?: AbortSignal): Promise<ExportFacts> {
    const { destinations, jobs } = await this.client(connectionId);
    const [listed, known] = await Promise.all([destinations.list({ signal }), jobs.list({ signal })]);
    if (listed !== undefined) return { destinations: listed, listed: true, jobs: known };
    const remembered = await Promise.all(
      this.remembered(connectionId).map(
        async ({ id, name }) => (await destinations.get(id, { signal })) ?? { id, display_name: name },
      ),
    );
    return { destinations: remembered, listed: false, jobs: known };
  }

  remembered(connectionId: string): readonly RememberedDestination[] {
    return this.#all().filter((known) => known.connectionId === connectionId);
  }

  /** Keeps id and name, and nothing else, of a destination that was made here. */
  async remember(destination: RememberedDestination): Promise<void> {
    await this.#memory.update(memoryKey, [...this.#without(destination), destination]);
  }

  async forget(destination: Pick<RememberedDestination, "connectionId" | "id">): Promise<void> {
    await this.#memory.update(memoryKey, this.#without(destination));
  }

  #without({
    connectionId,
    id,
  }: Pick<RememberedDestination, "connectionId" | "id">): RememberedDestination[] {
    return this.#all().filter((known) => known.id !== id || known.connectionId !== connectionId);
  }

  #all(): readonly RememberedDestination[] {
    return this.#memory.get<readonly RememberedDestination[]>(memoryKey, []);
  }
}
