import { itAnswersAsAgentServersDo } from "../support/sameAnswersSuite.ts";
import { agentServerPeer } from "./agentServerPeer.ts";

describe("what a real agent server answers", () => {
  itAnswersAsAgentServersDo(async () => ({ url: (await agentServerPeer()).url, chat: "chat" }));
});
