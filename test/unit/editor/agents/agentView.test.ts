import { strict as assert } from "node:assert";
import {
  changes,
  creation,
  draftOf,
  emptyDraft,
  withSandbox,
} from "../../../../src/editor/agents/agentDraft.ts";
import { asksFirst, agentFacts } from "../../../../src/editor/agents/agentFacts.ts";
import { healthIcon, healthLines, isHealthy } from "../../../../src/editor/agents/agentHealth.ts";
import {
  describeListing,
  isArranged,
  listingFrom,
  plainListing,
} from "../../../../src/editor/agents/agentListing.ts";
import {
  describeThreadFilter,
  threadFilterFrom,
} from "../../../../src/editor/threads/managedThreadFilter.ts";

const agent = {
  id: "a",
  name: "Triage",
  description: "Sorts",
  runtime: { model: { model_id: "openai:gpt-5", temperature: 0 }, other: true },
  backend: { type: "sandbox", sandbox_config: { scope: "thread", policy_ids: ["p"] } },
};

describe("the form of a managed agent", () => {
  it("sends only what was filled in", () => {
    assert.deepEqual(creation({ ...emptyDraft, name: "A" }), { name: "A", backend: { type: "state" } });
    assert.equal(
      creation({ ...emptyDraft, name: "A", instructions: "Be brief." }).system_prompt,
      "Be brief.",
    );
  });

  it("sends only what changed, and keeps what the platform would otherwise replace", () => {
    const draft = draftOf(agent);
    assert.equal(changes(agent, draft), undefined);
    assert.deepEqual(changes(agent, { ...draft, model: "openai:gpt-6" }), {
      runtime: { model: { model_id: "openai:gpt-6", temperature: 0 }, other: true },
    });
    const backend = withSandbox(draft.backend, { scope: "agent" });
    assert.deepEqual(changes(agent, { ...draft, backend }), {
      backend: { type: "sandbox", sandbox_config: { scope: "agent", policy_ids: ["p"] } },
    });
  });
});

describe("how a managed agent is described", () => {
  it("names its access when that is less than everything, and one that is not known as it is spelled", () => {
    assert.equal(agentFacts(agent).short, "openai:gpt-5");
    assert.equal(agentFacts({ ...agent, access_level: "READ" }).short, "openai:gpt-5 · read only");
    assert.equal(agentFacts({ ...agent, access_level: "OWN" }).short, "openai:gpt-5 · OWN");
  });

  it("finds out before which tools a person is asked, by server and tool or by the tool alone", () => {
    const tool = { name: "send", mcp_server_url: "https://X.example/mcp/" };
    const asked = (interrupt_config: Record<string, boolean>) => asksFirst(tool, { interrupt_config });
    assert.equal(asked({ "https://x.example/mcp::send": true }), true);
    assert.equal(asked({ "https://x.example/mcp::send::extra": true }), true);
    assert.equal(asked({ send: true }), true);
    assert.equal(asked({ send: true, "https://x.example/mcp::send": false }), false);
    assert.equal(asked({ "https://y.example/mcp::send": true }), false);
  });

  it("warns of a failing tool server by its address and reason, and of any other check that fails", () => {
    const report = { mcp_check: { ok: false, servers: [{ url: "https://x", ok: false, error: "refused" }] } };
    assert.ok(!isHealthy(report));
    assert.deepEqual(healthLines({ kind: "checked", report }), ["https://x fails: refused"]);
    const others = {
      backend: { type: "state", ok: true },
      sandbox: { ok: false, error: "no room" },
      quota: { ok: true, left: 3 },
    };
    assert.deepEqual(healthLines({ kind: "checked", report: { agent_id: "a", ...others } }), [
      "No tool servers to reach",
      "backend: state, works",
      "sandbox: fails: no room",
      'quota: {"ok":true,"left":3}',
    ]);
    assert.equal(healthIcon({ kind: "checked", report })[0], "warning");
    assert.ok(!isHealthy({ sandbox_check: { ok: false } }));
    assert.ok(isHealthy({ mcp_check: { ok: true, servers: [] }, backend: { type: "state" } }));
  });
});

describe("what the Agents view lists", () => {
  it("is the platform's own order until somebody wants another, and says which", () => {
    assert.ok(!isArranged(plainListing));
    const listing = { name: "tri", sort_by: "name", sort_order: "asc" } as const;
    assert.equal(describeListing(listing), "“tri” · by name, A to Z");
    assert.deepEqual(listingFrom(JSON.parse(JSON.stringify(listing))), listing);
    for (const broken of [undefined, 7, { sort_by: "size" }, { name: 1 }])
      assert.deepEqual(listingFrom(broken), plainListing);
  });

  it("are threads by status or need, and by a text", () => {
    assert.equal(describeThreadFilter({}), "");
    assert.equal(describeThreadFilter({ show: "attention", text: "x=1" }), "needs attention · “x=1”");
    assert.equal(describeThreadFilter({ show: "paused" }), "paused");
    assert.deepEqual(threadFilterFrom({ show: "", text: 4 }), {});
  });
});
