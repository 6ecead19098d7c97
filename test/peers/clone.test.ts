/** Threads are cloned between a real agent server and the Local Platform, in either direction and within one. */

import { itClones } from "../support/cloneSuite.ts";
import { localAgentServer } from "../support/localAgentServer.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("clones of threads", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  describe("on the same real server", () => {
    itClones(async () => {
      const { api } = await agentServerPeer();
      return { from: api, to: api };
    });
  });
  describe("from a real server to the Local Platform", () => {
    itClones(async () => ({ from: (await agentServerPeer()).api, to: localAgentServer(platform) }));
  });
  describe("from the Local Platform to a real server", () => {
    itClones(async () => ({ from: localAgentServer(platform), to: (await agentServerPeer()).api }));
  });
});
