import { itComparesRuns } from "../support/comparisonSuite.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("comparing runs of a real agent server", () => {
  itComparesRuns(async () => (await agentServerPeer()).api, ["naps", "par", "fan"]);
});
