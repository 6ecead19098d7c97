import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { itIsRepairedByTwo } from "../../../support/twoPeopleSuite.ts";

describe("a thread of the Local Platform that two people repair at once", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itIsRepairedByTwo(async () => {
    platform = await LocalPlatform.start();
    return localAgentServer(platform);
  });
});
