import { deepEqual } from "node:assert/strict";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { CONTEXTS, VIEWS } from "../../../../src/editor/kit/ids.ts";
import { contributes } from "../../contributions.ts";
import { editor } from "../fakeVscode.ts";

const vscode = (await import("vscode")) as unknown as { readonly window: Record<string, unknown> };
const { createViews } = await import("../../../../src/editor/views/index.ts");
const { Later } = await import("../../../../src/editor/kit/later.ts");

const nothing = { dispose: () => undefined };
const never = () => nothing;
const server = { id: "s", name: "Server", kind: "agentServer", url: "https://agents.test" } as const;
const platform = { id: "p", name: "Platform", kind: "platform", url: "https://platform.test" } as const;
const local = { id: "l", name: "Local Platform", kind: "localPlatform" } as unknown as ConnectionSetting;
const ofPlatforms = [VIEWS.agents, VIEWS.toolServers, VIEWS.destinations];

describe("The views of the sidebar", () => {
  let settings: readonly ConnectionSetting[] = [];
  let connectionsChanged: () => void = () => undefined;

  before(() => {
    const view = { visible: false, onDidChangeVisibility: never, ...nothing };
    Object.assign(vscode.window, { createTreeView: () => view });
    const connections = {
      list: () => settings,
      onDidChange: (listener: () => void) => {
        connectionsChanged = listener;
        return nothing;
      },
    };
    const core = {
      connections,
      context: { subscriptions: [], globalStorageUri: { fsPath: "/none" } },
      localPlatform: { state: { kind: "stopped" }, onDidChange: never },
      waitingThreads: { onDidChange: never },
      activity: { onDidChange: never },
    };
    const services = new Later(() => Promise.reject(new Error("no view is seen")));
    createViews(...([core, services] as unknown as Parameters<typeof createViews>));
  });
  after(() => void delete vscode.window["createTreeView"]);

  const cases: readonly (readonly [string, readonly ConnectionSetting[], readonly string[]])[] = [
    ["none of what only platforms have where there are servers alone", [server], ofPlatforms],
    ["all beside a platform", [server, platform], []],
    ["all beside the Local Platform", [server, local], []],
    ["all before there is any connection", [], []],
  ];
  for (const [what, list, missing] of cases) {
    it(`are ${what}`, () => {
      settings = list;
      connectionsChanged();
      const views = Object.values(contributes.views).flat();
      const gone = views.filter(({ when }) => when !== undefined && !holds(when)).map(({ id }) => id);
      deepEqual(gone.toSorted(), missing.toSorted());
    });
  }

  /** Whether a condition of a view holds; each is one context key that is not set. */
  function holds(when: string): boolean {
    const key = when.slice(1);
    deepEqual([when[0], key], ["!", CONTEXTS.noPlatform]);
    const set = editor.commands.findLast(([command, name]) => command === "setContext" && name === key);
    return set?.[2] !== true;
  }
});
