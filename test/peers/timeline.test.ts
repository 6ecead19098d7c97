import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { itTellsWhenStepsRan } from "../support/timelineSuite.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

describe("the timeline of a thread on a real agent server", () => {
  let server: AgentServerProcess;

  after(() => server.stop());

  itTellsWhenStepsRan(async () => {
    server = await startAgentServer();
    return new AgentServer(new Http({ baseUrl: server.url }));
  });
});
