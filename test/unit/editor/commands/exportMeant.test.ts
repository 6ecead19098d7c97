import { deepEqual } from "node:assert/strict";
import "../fakeVscode.ts";
import type * as Choice from "../../../../src/editor/commands/destinations/destinationChoice.ts";

const ref = { connectionId: "c", exportId: "e", name: "every 1 h", status: "Scheduled" };

describe("The export that a command is about", () => {
  let choice: typeof Choice;
  before(async () => {
    choice = await import("../../../../src/editor/commands/destinations/destinationChoice.ts");
  });
  const meant = (value: unknown) =>
    choice.chooseExport({} as Parameters<typeof Choice.chooseExport>[0], value, "Cancel Export", true);

  it("is the row's with its name and status, so that a schedule is asked about as one", async () => {
    for (const value of [ref, { id: "export:c:e", ref }, [{ ref }]]) deepEqual(await meant(value), ref);
  });

  it("is what another caller names, if only by its ids", async () => {
    const { connectionId, exportId } = ref;
    deepEqual(await meant({ connectionId, exportId }), { connectionId, exportId, name: "e", status: "" });
  });
});
