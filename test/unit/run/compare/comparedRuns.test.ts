import { itComparesRuns } from "../../../support/comparisonSuite.ts";
import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";

describe("comparing runs of the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itComparesRuns(async () => {
    platform = await LocalPlatform.start();
    return localAgentServer(platform);
  }, ["naps", "researcher", "approval"]);
});
