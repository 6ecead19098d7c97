import { deepEqual, rejects } from "node:assert/strict";
import type { Destinations as Api } from "../../../../src/api/bulkExports/destinations.ts";
import type { ExportJobs } from "../../../../src/api/bulkExports/exportJobs.ts";
import { ApiError, type ErrorKind } from "../../../../src/api/errors.ts";
import "../fakeVscode.ts";

const { Destinations } = await import("../../../../src/editor/destinations/destinations.ts");

describe("An export that could not be started", () => {
  const facts = { method: "POST", url: "https://platform.example.com/api/v1/bulk-exports" };
  const body = { bulk_export_destination_id: "d", start_time: "2026-06-01T00:00:00Z" };

  /** Whether the list is fetched anew after the failure; its answer never comes. */
  async function fetchedAfter(kind: ErrorKind, status?: number): Promise<boolean> {
    const error = new ApiError(kind, { ...facts, status });
    const fetched = Promise.withResolvers<boolean>();
    const never = new Promise<never>(() => undefined);
    const list = (): Promise<never> => {
      fetched.resolve(true);
      return never;
    };
    const jobs = { list, create: () => Promise.reject(error) } as unknown as ExportJobs;
    const destinations = new Destinations(
      {
        destinations: () => Promise.resolve({ list } as unknown as Api),
        exportJobs: () => Promise.resolve(jobs),
      },
      { get: () => undefined, update: () => Promise.resolve() },
    );
    await rejects(destinations.startExport("p", body), error);
    setImmediate(() => fetched.resolve(false));
    return fetched.promise;
  }

  it("is told at once, and is looked for only where it may be there", async () => {
    deepEqual(
      [
        await fetchedAfter("invalid", 422),
        await fetchedAfter("unauthorized", 401),
        await fetchedAfter("refused"),
        await fetchedAfter("timeout"),
        await fetchedAfter("server", 503),
        await fetchedAfter("notJson", 200),
      ],
      [false, false, false, true, true, true],
    );
  });
});
