import { itRepairsMany } from "../support/bulkRepairSuite.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("many failed threads of a real agent server", () => {
  itRepairsMany(async () => ({ ...(await agentServerPeer()), apiKey: "" }));
});
