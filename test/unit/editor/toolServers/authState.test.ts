import assert from "node:assert/strict";
import type { ToolServer } from "../../../../src/api/managedAgents/toolServers.ts";
import type { Agent } from "../../../../src/api/managedAgents/wire.ts";
import { endOf, sentence, authStateOf, authWords } from "../../../../src/editor/toolServers/authState.ts";
import type { Grant } from "../../../../src/editor/toolServers/authState.ts";
import { annotationWords, mayDestroy } from "../../../../src/editor/toolServers/toolFacts.ts";
import {
  addressProblem,
  addressWarning,
  changeOf,
  suggestedName,
} from "../../../../src/editor/toolServers/toolServerDraft.ts";
import { agentsUsing } from "../../../../src/editor/agents/agentFacts.ts";

const plain: ToolServer = { id: "s", name: "Tools", url: "https://t.example.com/mcp", auth_type: "headers" };
const oauth: ToolServer = { ...plain, auth_type: "oauth", oauth_provider_id: "p" };

describe("How a tool server is signed in to", () => {
  it("is read from the server, from what the platform holds and from the last attempt", () => {
    const words = (server: ToolServer, grant: Grant, attempt?: Parameters<typeof authStateOf>[2]): string =>
      authWords(server, authStateOf(server, grant, attempt), attempt);
    const refused = { end: { outcome: "refused" } } as const;
    assert.deepEqual(
      [
        words(plain, "unknown"),
        words({ ...plain, headers: [{ key: "A" }] }, "unknown"),
        words({ ...plain, headers: [{ key: "A" }, { key: "B" }] }, "unknown"),
        words({ ...plain, can_invoke: false }, "unknown"),
        words({ ...oauth, oauth_provider_id: null }, "unknown"),
        words(oauth, "held"),
        words(oauth, "missing"),
        words(oauth, "missing", refused),
        words(oauth, "expired", { end: { outcome: "connected" } }),
        words(oauth, "held", {}),
        words(oauth, "unknown"),
        words(oauth, "unknown", { end: { outcome: "connected" } }),
      ],
      [
        "no sign-in",
        "1 header",
        "2 headers",
        "headers hidden",
        "OAuth: no provider yet",
        "OAuth: connected",
        "OAuth: not connected",
        "OAuth: not connected · refused",
        "OAuth: expired",
        "OAuth: waiting for you in the browser",
        "OAuth",
        "OAuth: connected",
      ],
    );
  });

  it("ends in words that say what happened, also for a status that nobody knows yet", () => {
    const ends = [
      { status: "COMPLETED" },
      { status: "CONNECTION_REQUIRED", error: "access_denied" },
      { status: "CONNECTION_REQUIRED", error: "session_expired" },
      { status: "TOKEN_EXPIRED" },
      { status: "WAITING_FOR_ADMIN" },
    ].map((session) => endOf(session));
    assert.deepEqual(
      ends.map((end) => end?.outcome),
      ["connected", "refused", "expired", "expired", "failed"],
    );
    assert.match(sentence("Tools", ends[4] ?? { outcome: "failed" }), /not connected \(WAITING_FOR_ADMIN\)/);
    assert.equal(endOf({ status: "PENDING" }), undefined);
  });
});

describe("A tool server's draft", () => {
  it("has an address that can be used, with a warning where secrets would travel openly", () => {
    for (const bad of ["", "tools", "ftp://t", "https://me:pw@t.example.com", "https://t.example.com/#a"]) {
      assert.ok(addressProblem(bad), bad);
    }
    for (const good of ["https://t.example.com/mcp?a=1", "http://127.0.0.1:3001/mcp"]) {
      assert.equal(addressProblem(good), undefined);
      assert.equal(addressWarning(good), undefined);
    }
    assert.ok(addressWarning("http://t.example.com/mcp"));
  });

  it("is called after its address at first", () => {
    assert.equal(suggestedName("https://mcp.example.com/mcp"), "example.com");
    assert.equal(suggestedName("http://127.0.0.1:3001/mcp"), "127.0.0.1-3001");
    assert.equal(suggestedName("not an address"), "");
  });

  it("sends just what changed", () => {
    const draft = { name: plain.name, url: plain.url, signIn: "none", headers: [] } as const;
    assert.equal(changeOf(plain, draft, false), undefined);
    assert.deepEqual(changeOf(plain, { ...draft, signIn: "oauth" }, false), {
      auth_type: "oauth",
      oauth_mode: "per_user_dynamic_client",
    });
    assert.deepEqual(changeOf(plain, { ...draft, url: "https://o.example.com" }, true), {
      url: "https://o.example.com",
      headers: [],
    });
  });
});

describe("A tool", () => {
  it("counts as destructive unless it says otherwise", () => {
    const hints = [{}, { readOnlyHint: true }, { destructiveHint: false }, { destructiveHint: true }];
    assert.deepEqual(
      hints.map((annotations) => mayDestroy({ name: "t", annotations })),
      [true, false, false, true],
    );
    assert.ok(mayDestroy({ name: "t" }));
    assert.deepEqual(annotationWords({ readOnlyHint: true, openWorldHint: true }), [
      "read-only",
      "open world",
    ]);
  });

  it("is used by agents and by their subagents, however the URL is spelled", () => {
    const tools = { tools: [{ name: "t", mcp_server_url: "HTTPS://t.example.com/mcp/" }] };
    const agents: Agent[] = [
      { id: "1", name: "Direct", tools },
      { id: "2", name: "By subagent", subagents: [{ name: "s", tools }] },
      { id: "3", name: "Neither", tools: { tools: [] }, subagents: null },
    ];
    assert.deepEqual(agentsUsing(plain.url, agents), ["Direct", "By subagent"]);
  });
});
