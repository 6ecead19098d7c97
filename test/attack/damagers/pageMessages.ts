import { equal } from "node:assert/strict";
import type { Json } from "../../../src/api/agentServer/wire.ts";
import { pageRequestOf } from "../../../src/editor/runPanel/page.ts";
import { damagedJson } from "../../support/damage.ts";
import type { Damager } from "./damager.ts";

const examples: readonly Json[] = [
  { type: "ready" },
  { type: "painted", revision: 3 },
  {
    type: "start",
    request: {
      assistantId: "a",
      input: { text: "hi" },
      streamModes: ["values"],
      metadata: {},
      strategy: "reject",
    },
  },
  { type: "remedy", action: "retry" },
  { type: "decide", interruptId: "i", decisions: [{ type: "edit", edited_action: { name: "n", args: {} } }] },
  { type: "resume", interruptId: "i", value: { a: [1] } },
  { type: "feedback", runId: "r", key: "k", feedback: { score: 1, comment: "c", correction: {} } },
  { type: "raw", search: "s", offset: 0, limit: 100 },
  { type: "copy", text: "t" },
  { type: "openExternal", url: "https://example.com" },
];

/** What the page says: it is taken as it is, or it is no request. */
export const pageMessages: Damager<Json> = {
  name: "page",
  mostMs: 200,
  mostMb: 200,
  make: (random) => damagedJson(random.pick(examples), random, random.pick([0, 0.05, 0.3])),
  hold: (message) => {
    const before = JSON.stringify(message);
    const request = pageRequestOf(message);
    if (request !== undefined) equal(request, message);
    equal(JSON.stringify(message), before);
  },
};
