import { equal, match } from "node:assert/strict";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { VIEWS } from "../../../../src/editor/kit/ids.ts";
import { editor, type StatusItem } from "../fakeVscode.ts";

const { registerStatusBar } = await import("../../../../src/editor/views/statusBar.ts");
const { WaitingThreads } = await import("../../../../src/editor/threads/waitingThreads.ts");
const { Later } = await import("../../../../src/editor/kit/later.ts");

type Parts = Parameters<typeof registerStatusBar>[0];

const settings: readonly ConnectionSetting[] = [
  { id: "s", name: "Staging", kind: "agentServer", url: "http://staging" },
  { id: "p", name: "Production", kind: "agentServer", url: "http://production", protected: "word" },
];

describe("The status bar", () => {
  let waiting: InstanceType<typeof WaitingThreads>;
  let bar: { dispose(): void };

  beforeEach(() => {
    editor.statusItems.length = 0;
    const connections = {
      list: () => settings,
      get: (id: string) => settings.find((setting) => setting.id === id),
      default: () => settings[0],
      onDidChange: () => ({ dispose: () => undefined }),
    };
    waiting = new WaitingThreads(connections);
    const never = new Later(() => Promise.reject(new Error("nothing is in front")));
    const core = { connections, waitingThreads: waiting, localPlatform: { state: { kind: "stopped" } } };
    bar = registerStatusBar({ core, panels: never, drafts: never } as unknown as Parts);
  });

  afterEach(() => bar.dispose());

  it("says how many wait on all connections, names none of them beside the sum, and leads to the Inbox", () => {
    equal(item("agentOperations.waiting").shown, false, "nothing waits");
    wait("s", 6);
    wait("p", 43);
    const { command, shown, text = "", tooltip } = item("agentOperations.waiting");
    equal(shown, true);
    equal(text, "$(bell-dot) 49 waiting");
    equal(command, `${VIEWS.inbox}.focus`);
    match(tooltip?.value ?? "", /Click to open the Inbox\.\nStaging: 6\nProduction \(protected\): 43\n/);
    for (const id of ["s", "p"]) wait(id, 0);
    equal(item("agentOperations.waiting").shown, false, "all were answered");
  });

  it("names the connection by itself, without a number", () => {
    wait("p", 43);
    const { shown, text, tooltip } = item("agentOperations");
    equal(shown, true);
    equal(text, "$(hubot) Staging");
    equal(tooltip?.value, "Connection by default: Staging\n");
  });

  function item(id: string): StatusItem {
    const found = editor.statusItems.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no item ${id}`);
    return found;
  }

  function wait(connectionId: string, count: number): void {
    const url = settings.find(({ id }) => id === connectionId)?.url ?? "";
    waiting.set({ connectionId, server: { kind: "agentServer", url }, url }, count, []);
  }
});
