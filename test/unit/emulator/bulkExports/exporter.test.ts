import assert from "node:assert/strict";
import type { ExportOrder } from "../../../../src/emulator/bulkExports/bulkExport.ts";
import { Exporter, usualLimits } from "../../../../src/emulator/bulkExports/exporter.ts";
import { ExportWriter } from "../../../../src/emulator/bulkExports/exportWriter.ts";
import { openBulkExports } from "../../../../src/emulator/bulkExports/service.ts";
import type { BulkExportService } from "../../../../src/emulator/bulkExports/service.ts";
import { closePlatform, openPlatform } from "../../../../src/emulator/platform/platform.ts";
import type { Platform } from "../../../../src/emulator/platform/platform.ts";
import { ExportBench } from "./exportBench.ts";
import { until } from "../../../support/until.ts";

describe("the exporter with tighter limits", () => {
  let bench: ExportBench;
  let opened: Platform;

  before(async () => {
    bench = await ExportBench.start();
    await bench.platform.stop();
    opened = openPlatform(bench.platform.directory, undefined, () => "");
  });
  after(async () => {
    await closePlatform(opened);
    await bench.stop();
  });

  const order = (): ExportOrder => ({
    bulk_export_destination_id: bench.destination,
    session_id: opened.identity.deploymentId,
    all_experiments: false,
    start_time: "2020-01-01T00:00:00.000Z",
    end_time: new Date().toISOString(),
    interval_hours: null,
    filter: null,
    format: "Parquet",
    format_version: "v1",
    compression: "none",
    export_fields: null,
  });
  const finished = async (service: BulkExportService, id: string): Promise<string> => {
    await until("the export has finished", () => service.exports.require(id).finished_at !== null);
    return service.exports.require(id).status;
  };

  for (const limits of [{ runMs: 100 }, { exportMs: 100 }]) {
    it(`times out after ${Object.keys(limits).join("")}`, async () => {
      const release = bench.bin.hold();
      const service = openBulkExports(opened, limits);
      const { id } = service.exports.insert(order(), "Created");
      service.exporter.start();
      assert.equal(await finished(service, id), "TimedOut");
      const [run] = service.runs.list(id);
      assert.equal(run!.status, "TimedOut");
      assert.match(run!.errors!.retry_0!, /time for this export is over/);
      release();
      await service.exporter.stop();
    });
  }

  it("tries again after a failure that is not the store's, and gives up in the end", async () => {
    const { destinations, exports, runs, traces } = opened.bulkExports;
    let failures = 2;
    class Stumbling extends ExportWriter {
      override async write(...given: Parameters<ExportWriter["write"]>): Promise<void> {
        if (failures-- > 0) throw new Error("stumbled");
        await super.write(...given);
      }
    }
    const writer = new Stumbling(opened.store, runs, traces);
    const limits = { ...usualLimits, retries: 3, retryDelayMs: 1 };
    const exporter = new Exporter({ destinations, exports, runs, writer }, limits);
    const service = { ...opened.bulkExports, exporter };
    const first = exports.insert(order(), "Created");
    exporter.wake();
    assert.equal(await finished(service, first.id), "Completed");
    assert.deepEqual(runs.list(first.id)[0]!.errors, { retry_0: "stumbled", retry_1: "stumbled" });
    failures = 9;
    const second = exports.insert(order(), "Created");
    exporter.wake();
    assert.equal(await finished(service, second.id), "Failed");
    assert.equal(runs.list(second.id)[0]!.retry_number, 3);
    await exporter.stop();
  });
});
