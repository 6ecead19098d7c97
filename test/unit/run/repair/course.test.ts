import { itChangesCourse } from "../../../support/courseSuite.ts";
import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";

describe("the course of a thread on the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itChangesCourse(async () => {
    platform = await LocalPlatform.start();
    return localAgentServer(platform);
  }, 8);
});
