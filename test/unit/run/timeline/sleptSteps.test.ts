import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { itTellsWhenStepsRan } from "../../../support/timelineSuite.ts";

describe("the timeline of a thread on the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itTellsWhenStepsRan(async () => {
    platform = await LocalPlatform.start();
    return localAgentServer(platform);
  });
});
