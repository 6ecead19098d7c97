import { deepEqual, ok } from "node:assert/strict";
import type { Connection } from "../../../../src/editor/connections/connection.ts";
import "../fakeVscode.ts";

const { reportText } = await import("../../../../src/editor/documents/connectionReports.ts");

const connection: Connection = { id: "p", name: "Production", kind: "platform", url: "https://p.test" };
const detail =
  "p.test answered: The header X-Tenant-Id is missing. Edit the connection and enter the workspace ID, which the control plane names with each deployment.";

describe("The report of Test Connection", () => {
  it("shows what to do within the window, however long it is", () => {
    const steps = [
      { name: "DNS", outcome: "ok", detail: "10.0.0.7", ms: 12.4 },
      { name: "Bulk exports", outcome: "failed", detail, ms: 0 },
    ] as const;
    const text = reportText(connection, { kind: "Platform", steps, complete: true }, new Date(0));
    deepEqual(text.split("\n").slice(3), [
      "Tested      1970-01-01T00:00:00.000Z",
      "Result      1 failed",
      "",
      "✓ DNS             12 ms  10.0.0.7",
      "✗ Bulk exports           p.test answered: The header X-Tenant-Id is missing. Edit the connection and",
      "                         enter the workspace ID, which the control plane names with each deployment.",
      "",
    ]);
    ok(text.split("\n").every((line) => line.length <= 100));
  });
});
