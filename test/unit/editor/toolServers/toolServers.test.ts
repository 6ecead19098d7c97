import { deepEqual, equal } from "node:assert/strict";
import { ApiError } from "../../../../src/api/errors.ts";
import type { Http } from "../../../../src/api/http.ts";
import type { ManagedAgents } from "../../../../src/api/managedAgents/index.ts";
import type { ToolServer } from "../../../../src/api/managedAgents/toolServers.ts";
import { ConnectionError } from "../../../../src/editor/connections/connectionSettings.ts";
import type { AuthAttempt, ToolServerRef } from "../../../../src/editor/toolServers/authAttempts.ts";
import type { Grant } from "../../../../src/editor/toolServers/authState.ts";
import type { ToolServersChange } from "../../../../src/editor/toolServers/toolServers.ts";
import "../fakeVscode.ts";

const { EventEmitter } = await import("vscode");
const { ToolServers } = await import("../../../../src/editor/toolServers/toolServers.ts");

describe("What is known of tool servers", () => {
  const signal = new AbortController().signal;
  const oauth: ToolServer = { ...plain("oauth"), auth_type: "oauth", oauth_provider_id: "provider" };
  const ref = { connectionId: "p", toolServerId: "plain" };
  const attempts = new EventEmitter<ToolServerRef>();
  let servers: ToolServer[];
  let toolCalls: boolean[];
  /** What the control plane says of the grant: undefined when there is no control plane. */
  let holds: boolean | undefined;
  let attempt: AuthAttempt | undefined;
  let session: { readonly status: string } | "gone";
  let toolServers: InstanceType<typeof ToolServers>;
  let changes: ToolServersChange[];

  beforeEach(() => {
    servers = [plain("plain")];
    toolCalls = [];
    changes = [];
    holds = undefined;
    attempt = undefined;
    session = "gone";
    toolServers = new ToolServers({
      authAttempts: { of: () => attempt, onDidChange: attempts.event },
      platforms: {
        controlPlaneHttp: () =>
          holds === undefined
            ? Promise.reject(new ConnectionError("controlPlaneMissing", "There is none.", "Enter it."))
            : Promise.resolve({ json: () => Promise.resolve({ has_token: holds }) } as unknown as Http),
        managedAgents: () => Promise.resolve(platform() as unknown as ManagedAgents),
      },
    });
    toolServers.onDidChange((change) => changes.push(change));
  });

  afterEach(() => toolServers.dispose());

  it("are listed with the person's grant", async () => {
    servers = [plain("plain"), oauth];
    const listed = await toolServers.load("p", signal);
    deepEqual(
      listed.map(({ toolServerId, grant }) => [toolServerId, grant]),
      [
        ["plain", "unknown"],
        ["oauth", "unknown"],
      ],
    );
    equal(toolServers.get({ connectionId: "p", toolServerId: "oauth" })?.server, oauth);
    servers = [];
    await toolServers.load("p", signal);
    equal(toolServers.get({ connectionId: "p", toolServerId: "oauth" }), undefined);
  });

  const connected = { ...attemptAt("session"), end: { outcome: "connected" } } as const;
  const grants: readonly (readonly [
    what: string,
    holds: boolean | undefined,
    attempt: AuthAttempt | undefined,
    session: typeof session,
    grant: Grant,
  ])[] = [
    ["the control plane holds a token", true, undefined, "gone", "held"],
    ["the control plane holds none", false, undefined, "gone", "missing"],
    ["nobody can say", undefined, undefined, "gone", "unknown"],
    [
      "the last session was refused",
      undefined,
      { ...connected, end: { outcome: "refused" } },
      "gone",
      "unknown",
    ],
    ["the last session is complete", undefined, connected, { status: "COMPLETED" }, "held"],
    [
      "the last session is complete and no token is held",
      false,
      connected,
      { status: "COMPLETED" },
      "missing",
    ],
    ["the token expired", undefined, connected, { status: "TOKEN_EXPIRED" }, "expired"],
    ["the last session is gone", undefined, connected, "gone", "missing"],
  ];
  for (const [what, held, last, now, grant] of grants) {
    it(`have the grant "${grant}" when ${what}`, async () => {
      servers = [oauth];
      [holds, attempt, session] = [held, last, now];
      equal((await toolServers.load("p", signal))[0]?.grant, grant);
    });
  }

  it("lose their picked tools when they are listed no more", async () => {
    const tool = { ...ref, serverName: "plain", serverUrl: "https://plain", tool: { name: "echo" } };
    const elsewhere = { ...tool, connectionId: "other" };
    toolServers.pick([
      [tool, true],
      [elsewhere, true],
    ]);
    await toolServers.load("p", signal);
    equal(toolServers.isPicked(tool), true);
    servers = [];
    changes.length = 0;
    await toolServers.load("p", signal);
    deepEqual(toolServers.picked, [elsewhere]);
    deepEqual(changes, [{ kind: "picks" }]);
    toolServers.clearPicks();
    deepEqual(toolServers.picked, []);
  });

  it("are asked themselves for their tools once when that is wanted", async () => {
    const [facts] = await toolServers.load("p", signal);
    toolServers.askAgain(ref);
    deepEqual(changes, [{ kind: "tools", server: ref }]);
    await toolServers.tools(facts!, signal);
    await toolServers.tools(facts!, signal);
    deepEqual(toolCalls, [true, false]);
  });

  it("say what was done to them, also by a sign-in that ended", async () => {
    const servers = { kind: "servers", server: ref };
    await toolServers.create("p", { name: "plain", url: "https://plain", auth_type: "headers" });
    await toolServers.update(ref, { url: "https://other" });
    await toolServers.changeHeaders(ref, new Map([["X-Team", undefined]]));
    equal(await toolServers.registerProvider(ref, signal), "provider");
    attempts.fire({ ...attemptAt("s"), toolServerId: "plain" });
    await toolServers.delete(ref);
    deepEqual(changes, Array(6).fill(servers));
  });

  it("name the agents that use them", async () => {
    deepEqual(await toolServers.usedBy({ connectionId: "p", server: plain("plain") }, signal), ["User"]);
  });

  function platform() {
    const done = () => Promise.resolve({});
    return {
      toolServers: {
        list: () => Promise.resolve(servers),
        tools: (_url: string, { force }: { readonly force: boolean }) => {
          toolCalls.push(force);
          return Promise.resolve({ tools: [] });
        },
        create: () => Promise.resolve(plain("plain")),
        update: done,
        changeHeaders: done,
        delete: done,
        registerProvider: () => Promise.resolve("provider"),
      },
      authSessions: {
        get: () =>
          session === "gone"
            ? Promise.reject(new ApiError("notFound", { method: "GET", url: "https://platform" }))
            : Promise.resolve(session),
      },
      agents: {
        list: async function* () {
          await Promise.resolve();
          yield* [{ id: "user" }, { id: "other" }, { id: "gone" }];
        },
        get: (id: string) => {
          if (id === "gone")
            return Promise.reject(new ApiError("notFound", { method: "GET", url: "https://platform" }));
          const tools = [{ name: "echo", mcp_server_url: "https://PLAIN/" }];
          return Promise.resolve({ id, name: "User", ...(id === "user" && { tools: { tools } }) });
        },
      },
    };
  }
});

function plain(id: string): ToolServer {
  return { id, name: id, url: `https://${id}`, auth_type: "headers", headers: [] };
}

function attemptAt(sessionId: string): AuthAttempt {
  return { connectionId: "p", toolServerId: "oauth", serverName: "oauth", sessionId, startedAt: 0 };
}
