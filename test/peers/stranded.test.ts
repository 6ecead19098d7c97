import { rm } from "node:fs/promises";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { executionsFile, heldGraph } from "../support/heldRuns.ts";
import { itContinuesStranded } from "../support/strandedSuite.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

describe("a run that a restart of a real agent server left running", () => {
  let server: AgentServerProcess;

  after(async () => {
    await server.stop();
    await rm(executionsFile, { force: true });
  });

  itContinuesStranded(async () => {
    server = await startAgentServer({ EXECUTIONS: executionsFile }, true);
    return { api: new AgentServer(new Http({ baseUrl: server.url })), graph: heldGraph };
  }, [
    [
      "the server was killed",
      async () => {
        const killedAt = Date.now();
        await server.killAndRestart();
        return killedAt;
      },
    ],
    [
      "a graph's file was saved",
      async () => {
        await server.save("held.mts");
        return undefined;
      },
    ],
  ]);
});
