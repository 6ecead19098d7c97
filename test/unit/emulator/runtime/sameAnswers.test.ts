import { LocalPlatform } from "../../../support/localPlatform.ts";
import { itAnswersAsAgentServersDo } from "../../../support/sameAnswersSuite.ts";

describe("what the Local Platform answers as an agent server does", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itAnswersAsAgentServersDo(async () => {
    platform = await LocalPlatform.start();
    const { deploymentUrl: url, apiKey } = platform.ready;
    return { url, headers: { "x-api-key": apiKey }, chat: "echo" };
  });
});
