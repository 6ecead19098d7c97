import { AgentServer } from "../../../../src/api/agentServer/index.ts";
import { Http } from "../../../../src/api/http.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { itTellsWhenStepsRan } from "../../../support/timelineSuite.ts";

describe("the timeline of a thread on the Local Platform", function () {
  this.timeout(60_000);
  let platform: LocalPlatform;

  after(() => platform.remove());

  itTellsWhenStepsRan(async () => {
    platform = await LocalPlatform.start();
    const { deploymentUrl: baseUrl, apiKey } = platform.ready;
    return new AgentServer(new Http({ baseUrl, headers: () => Promise.resolve({ "x-api-key": apiKey }) }));
  });
});
