import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { TestMemento } from "../support/testMemento.ts";
import { ActivityLog } from "../../src/editor/kit/activityLog.ts";
import { AuthAttempts } from "../../src/editor/toolServers/authAttempts.ts";
import type { AttemptOrder, ToolServerRef } from "../../src/editor/toolServers/authAttempts.ts";
import { text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { ToolServerProcess } from "./toolServerProcess.ts";
import { type ToolServersView, useToolServersView } from "./toolServersView.ts";
import { whileAllIsLogged, writtenDown } from "./writtenDown.ts";

describe("Connecting to a tool server", () => {
  let at: ToolServersView;
  let tools: ToolServerProcess;

  before(async () => (tools = await ToolServerProcess.start({ oauth: true })));
  after(() => tools.stop());
  useToolServersView((view) => {
    at = view;
  });

  it("opens the page, waits until the person agreed there, and shows the tools", async () => {
    at.person.browse = agree;
    at.person.press = (asked) => (asked.includes("is registered") ? "Connect" : undefined);
    at.person.will({ type: tools.url }, { choose: "OAuth" }, { type: "Guarded" }, { choose: /Register/ });
    await at.run("toolServer.register");
    await until("it is told", () => at.person.told.includes("“Guarded” is connected."));
    await at.shown("Guarded | OAuth: connected");
    await until("its tools are shown", async () =>
      (await at.rows()).some((line) => line.trim().startsWith("echo")),
    );
    match(at.person.opened[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+\/authorize\?.*code_challenge=/);
    const entry = at.extension.activity.entries.find(
      ({ options }) => options.title === "Connecting “Guarded”",
    );
    deepEqual([entry?.end?.how, entry?.end?.message], ["done", "“Guarded” is connected."]);
    const { workspaceState } = at.extension.context;
    const kept = JSON.stringify(workspaceState.keys().map((key) => [key, workspaceState.get(key)]));
    match(kept, /authAttempts\.ended.*Guarded/);
    doesNotMatch(kept, /token|verification|authorize/i);
  });

  it("registers an OAuth provider on demand, and where there is none before it connects", async () => {
    const { id } = await at.client.server(tools.url, { name: "Tools", auth_type: "oauth" });
    await at.run("toolServers.refresh");
    const provider = async (): Promise<unknown> =>
      (await at.client.get(`/mcp-servers/${text(id)}`)).oauth_provider_id;
    await at.run("toolServer.registerProvider", at.ref(id));
    ok(await provider());
    await at.client.send("DELETE", `/mcp-servers/${text(id)}`);
    const { id: other } = await at.client.server(tools.url, { name: "Tools", auth_type: "oauth" });
    await at.run("toolServers.refresh");
    at.person.browse = agree;
    await at.run("toolServer.connect", at.ref(other));
    await at.shown("Tools | OAuth: connected");
  });

  it("leaves the token that the platform returns for a grant nowhere", () =>
    whileAllIsLogged(async () => {
      at.person.browse = agree;
      const ref = await register();
      await at.run("toolServer.connect", ref);
      await at.shown("Tools | OAuth: connected");
      const { providerId } = await order(ref);
      const { body } = await at.client.start(providerId, { strategy: "REUSE" });
      const token = text(body.token);
      ok(token.length > 8, "the platform returns the token itself");
      const attempts = anotherWindow();
      deepEqual(await attempts.begin(await order(ref)), { outcome: "connected" });
      const written = await until("the request is logged", async () => {
        const places = await writtenDown(at.extension);
        return places.some(({ text: said }) => said.includes("/auth-sessions 200")) ? places : undefined;
      });
      const { person, extension } = at;
      const shown = [await at.rows(), person.told, person.opened, person.asked, extension.activity.entries];
      const places = [
        ...written,
        { place: "what is shown", text: JSON.stringify([shown, attempts.of(ref)]) },
      ];
      deepEqual(
        places.filter(({ text: said }) => said.includes(token)).map(({ place }) => place),
        [],
      );
      attempts.dispose();
    }));

  it("says that access was refused, and offers to try again", async () => {
    const denying = await ToolServerProcess.start({ oauth: true, denies: true });
    try {
      at.person.browse = agree;
      await at.run("toolServer.connect", await register(denying.url));
      await until("it is told", () => at.person.told.some((told) => told.includes("access was refused")));
      match(at.person.told.at(-1) ?? "", /“Tools” is not connected: access was refused \(access_denied\)\./);
      await at.shown("Tools | OAuth: not connected · refused");
    } finally {
      await denying.stop();
    }
  });

  it("gives the address to copy when the browser does not open", async () => {
    at.person.browse = () => Promise.resolve(false);
    at.person.press = (asked) => (asked.includes("did not open") ? "Copy Address" : undefined);
    await at.run("toolServer.connect", await register());
    equal(await vscode.env.clipboard.readText(), at.person.opened[0]);
    await at.shown("Tools | OAuth: waiting for you in the browser");
    await agree(at.person.opened[0] ?? "");
    await at.shown("Tools | OAuth: connected");
  });

  it("is given up when cancelled, and the row says so", async () => {
    const ref = await register();
    await at.run("toolServer.connect", ref);
    await at.shown("Tools | OAuth: waiting for you in the browser");
    await at.run("toolServer.copyAddress", ref);
    equal(await vscode.env.clipboard.readText(), at.person.opened[0]);
    await at.run("toolServer.cancelConnect", ref);
    await at.shown("Tools | OAuth: not connected · cancelled");
    await at.run("toolServer.openAddress", ref);
    match(at.person.told.at(-1) ?? "", /There is no sign-in page/);
  });

  it("waits for several at once, each ending for itself", async () => {
    const other = await ToolServerProcess.start({ oauth: true });
    try {
      const [first, second] = [await register(), await register(other.url, "Others")];
      await Promise.all([at.run("toolServer.connect", first), at.run("toolServer.connect", second)]);
      equal(at.person.opened.length, 2);
      await at.shown("Tools | OAuth: waiting for you in the browser");
      await at.shown("Others | OAuth: waiting for you in the browser");
      await agree(at.person.opened.find((address) => address.startsWith(new URL(other.url).origin)) ?? "");
      await at.shown("Others | OAuth: connected");
      await at.shown("Tools | OAuth: waiting for you in the browser");
      await at.run("toolServer.cancelConnect", first);
    } finally {
      await other.stop();
    }
  });

  it("says so when nobody agreed in time", async () => {
    const ref = await register();
    const attempts = anotherWindow(300);
    equal(await attempts.begin(await order(ref)), "waiting");
    deepEqual(await attempts.wait(ref), { outcome: "timedOut" });
    deepEqual(attempts.of(ref)?.end, { outcome: "timedOut" });
    ok(attempts.again(ref));
    attempts.cancel(ref);
    attempts.dispose();
  });

  it("goes on after the window was reloaded, knowing the session but no address and no token", async () => {
    const ref = await register();
    const before = anotherWindow();
    equal(await before.begin(await order(ref)), "waiting");
    const address = before.addressOf(ref) ?? "";
    const waiting = before.wait(ref);
    before.dispose();
    await waiting.catch(() => undefined);
    const after = anotherWindow();
    deepEqual(
      after.waiting.map(({ serverName }) => serverName),
      ["Tools"],
    );
    equal(after.addressOf(ref), undefined);
    const waited = after.wait(ref);
    await agree(address);
    deepEqual(await waited, { outcome: "connected" });
    after.dispose();
  });

  it("says that a grant is over when its token expired", async () => {
    const brief = await ToolServerProcess.start({ oauth: true, lifetime: 1 });
    try {
      at.person.browse = agree;
      await at.run("toolServer.connect", await register(brief.url));
      await until("it ended", () => at.person.told.some((told) => told.includes("Tools")));
      await until("the token is over", async () => {
        await at.run("toolServers.refresh");
        return (await at.rows()).some((line) => line.includes("Tools | OAuth: expired"));
      });
    } finally {
      await brief.stop();
    }
  });

  /** What another window of the same workspace knows. */
  function anotherWindow(limitMs?: number): AuthAttempts {
    return new AuthAttempts({ ...at.extension, activity: new ActivityLog(new TestMemento()) }, limitMs);
  }

  async function agree(address: string): Promise<boolean> {
    const page = await fetch(address);
    await page.text();
    return true;
  }

  /** A tool server with its OAuth provider. */
  async function register(url = tools.url, name = "Tools"): Promise<ToolServerRef> {
    const { id } = await at.client.server(url, { name, auth_type: "oauth" });
    await at.client.send("POST", `/mcp-servers/${text(id)}/oauth-provider`, {});
    await at.run("toolServers.refresh");
    return at.ref(id);
  }

  async function order(ref: ToolServerRef): Promise<AttemptOrder> {
    const server = await at.client.get(`/mcp-servers/${ref.toolServerId}`);
    return { ...ref, serverName: "Tools", providerId: text(server.oauth_provider_id), anew: false };
  }
});
