import { itClones } from "../../../support/cloneSuite.ts";
import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";

describe("clones of threads on the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itClones(async () => {
    platform = await LocalPlatform.start();
    const server = localAgentServer(platform);
    return { from: server, to: server };
  });
});
