import { deepEqual, rejects } from "node:assert/strict";
import { ApiError, type ErrorKind } from "../../../../src/api/errors.ts";
import type { ManagedAgents } from "../../../../src/api/managedAgents/index.ts";
import { ManagedThreadHost } from "../../../../src/editor/threads/servers/managedThreadHost.ts";

describe("A managed agent as the host of its threads", () => {
  const facts = (kind: ErrorKind) => {
    const error = new ApiError(kind, { method: "GET", url: "http://platform" });
    const api = {
      agents: { get: () => Promise.reject(error) },
      threads: { get: () => Promise.resolve({ title: "Nightly" }) },
    };
    const client = () => Promise.resolve(api as unknown as ManagedAgents);
    return new ManagedThreadHost({ agentId: "a", client, testRun: undefined }).facts("t", {});
  };

  it("that was deleted leaves its threads, which nobody runs", async () => {
    deepEqual(await facts("notFound"), { name: "Managed agent", assistants: [], title: "Nightly" });
  });

  it("that can't be asked now is not taken for one that was deleted", async () => {
    for (const kind of ["server", "timeout", "refused"] as const) await rejects(facts(kind), { kind });
  });
});
