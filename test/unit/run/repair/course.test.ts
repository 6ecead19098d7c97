import { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { Http } from "../../../../src/api/http.ts";
import { itChangesCourse } from "../../../support/courseSuite.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";

describe("the course of a thread on the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itChangesCourse(async () => {
    platform = await LocalPlatform.start();
    const { deploymentUrl: baseUrl, apiKey } = platform.ready;
    return new AgentServer(new Http({ baseUrl, headers: () => Promise.resolve({ "x-api-key": apiKey }) }));
  }, 8);
});
