import type { Identity } from "../access/identity.ts";
import type { Engine } from "../runtime/scheduler.ts";
import type { Vault } from "../access/vault.ts";
import { BulkExports } from "./bulkExports.ts";
import { Destinations } from "./destinations.ts";
import { Exporter, type ExportLimits, usualLimits } from "./exporter.ts";
import { ExportRuns } from "./exportRuns.ts";
import { ExportWriter } from "./exportWriter.ts";
import { Traces } from "./traces.ts";

/** Everything behind the bulk-export routes. */
export interface BulkExportService {
  readonly destinations: Destinations;
  readonly exports: BulkExports;
  readonly runs: ExportRuns;
  readonly exporter: Exporter;
  readonly traces: Traces;
}

/** Where the exported runs are recorded, and where secrets are sealed. */
export type Records = Pick<Engine, "store" | "runs" | "checkpoints"> & {
  readonly vault: Vault;
  readonly identity: Identity;
};

/** Makes the service; its exporter does nothing before it is started. */
export function openBulkExports(records: Records, limits: Partial<ExportLimits> = {}): BulkExportService {
  const { store, vault, checkpoints, identity } = records;
  const tenantId = identity.workspaceId;
  const destinations = new Destinations(store, vault, tenantId);
  const exports = new BulkExports(store, tenantId);
  const runs = new ExportRuns(store);
  const traces = new Traces(store, records.runs, checkpoints, tenantId);
  const writer = new ExportWriter(store, runs, traces);
  const exporter = new Exporter({ destinations, exports, runs, writer }, { ...usualLimits, ...limits });
  return { destinations, exports, runs, exporter, traces };
}
