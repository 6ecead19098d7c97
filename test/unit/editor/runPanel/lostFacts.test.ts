import { deepEqual, equal, match } from "node:assert/strict";
import type { PanelState } from "../../../../src/run/panel/messages.ts";
import { serverText } from "../../../../src/editor/connections/serverRef.ts";
import type { Services } from "../../../../src/editor/services.ts";
import { TestClock } from "../../../support/testClock.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { until } from "../../../support/until.ts";
import { ScriptedServer } from "../../run/session/scriptedServer.ts";
import "../fakeVscode.ts";

const { EventEmitter, workspace } = await import("vscode");
const { RunPanels } = await import("../../../../src/editor/runPanel/runPanels.ts");
const { Sessions } = await import("../../../../src/editor/threads/sessions.ts");

const server = { kind: "agentServer", url: "http://server" } as const;

describe("A run panel that opens while its server can't be asked", () => {
  let runs: boolean;
  let asked: number;
  let panels: InstanceType<typeof RunPanels>;
  let services: Services;
  const connectionsChanged = new EventEmitter<void>();
  const keyChanged = new EventEmitter<string>();

  beforeEach(() => {
    [runs, asked] = [false, 0];
    const never = { event: new EventEmitter<never>().event };
    Object.assign(workspace, { onDidChangeConfiguration: never.event });
    const scripted = new ScriptedServer();
    const answer = async <T>(value: T): Promise<T> => {
      await Promise.resolve();
      if (!runs) throw new Error("The server is not running.");
      return value;
    };
    const state = () => answer(scripted.state);
    const host = {
      runs: { threads: { ...scripted.threads, state }, runs: scripted.runs },
      unsupported: new Map(),
      version: () => answer({ status: "idle", updatedAt: "1" }),
      facts: () => {
        asked += 1;
        return answer({ name: "One", assistants: [{ id: "chat", name: "chat" }], title: undefined });
      },
    };
    const setting = { id: "c", name: "One", kind: "agentServer" };
    const made = {
      connections: { onDidChange: connectionsChanged.event, list: () => [setting], get: () => setting },
      apiKeys: { onDidChange: keyChanged.event },
      threads: {
        ...{ onDidChange: never.event, onDidChangeTitle: never.event, knownTitle: () => undefined },
        ...{ notify: () => undefined, noteRun: () => undefined, activate: () => undefined },
      },
      threadHosts: { of: () => host, onDidChange: never.event },
      workspaceGraphs: {
        ...{ onDidChange: never.event, onDidChangeDebugging: never.event, project: () => undefined },
        debugging: { of: () => undefined },
      },
      context: { workspaceState: new TestMemento(), globalState: new TestMemento(), extensionUri: "" },
      agentServers: { now: () => 0, clockAhead: () => 0 },
      ...{ strandedThreads: { note: () => undefined }, waitingThreads: { update: () => undefined } },
      ...{ clock: new TestClock(), attention: { slowestMs: () => 10_000 } },
      log: { debug: () => undefined },
    };
    const sessions = new Sessions(made as unknown as ConstructorParameters<typeof Sessions>[0]);
    services = { ...made, sessions } as unknown as Services;
    panels = new RunPanels(services);
  });
  afterEach(() => {
    panels.dispose();
    services.sessions.dispose();
  });

  /** Opens it as the editor does after a reload; gives what its page shows by now. */
  async function opened(threadId?: string): Promise<() => PanelState | undefined> {
    const target = { connectionId: "c", serverId: serverText(server), threadId };
    await services.context.workspaceState.update("runPanel.places", [["p", target]]);
    const sent: { readonly state?: PanelState }[] = [];
    let post: (message: unknown) => void = () => undefined;
    const webview = {
      postMessage: (message: { readonly state?: PanelState }) => Promise.resolve(sent.push(message) > 0),
      onDidReceiveMessage: (listener: typeof post) => void (post = listener),
      asWebviewUri: (uri: unknown) => uri,
    };
    const panel = { webview, visible: false, onDidChangeViewState: () => 0, onDidDispose: () => 0 };
    await panels.deserializeWebviewPanel(
      panel as unknown as Parameters<typeof panels.deserializeWebviewPanel>[0],
      { panel: "p" },
    );
    const shown = (): PanelState | undefined => {
      post({ type: "ready" });
      return sent.findLast(({ state }) => state !== undefined)?.state;
    };
    await until("it says what is wrong", () => shown()?.session.kind === "failed");
    return shown;
  }

  for (const [of, threadId] of [["a thread", "thread"], ["a new thread"]] as const)
    it(`says why, and has its agents once that is back: one of ${of}`, async () => {
      const shown = await opened(threadId);
      match(JSON.stringify(shown()?.session), /The server is not running/);
      deepEqual(shown()?.assistants, []);
      runs = true;
      connectionsChanged.fire();
      await until("it knows them", () => shown()?.assistants.length === 1);
      await until("nothing is wrong", () => shown()?.session.kind === "idle");
      const before = asked;
      connectionsChanged.fire();
      equal(asked, before, "what is known is asked once");
    });

  it("has its agents when its connection gets another key, and when its session is back", async () => {
    const shown = await opened("thread");
    keyChanged.fire("another");
    equal(asked, 1);
    keyChanged.fire("c");
    await until("it is tried", () => asked === 2 && shown()?.session.kind === "failed");
    runs = true;
    await panels.all[0]?.session.load();
    await until("it knows them", () => shown()?.assistants.length === 1);
  });
});
