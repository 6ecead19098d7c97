import { itRepairsMany } from "../support/bulkRepairSuite.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("many failed threads of a real agent server", function () {
  this.timeout(180_000);

  itRepairsMany(async () => ({ ...(await agentServerPeer()), apiKey: "" }));
});
