import { deepEqual, equal } from "node:assert/strict";
import type * as vscode from "vscode";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { editor } from "../fakeVscode.ts";

const { registerConnectionMarks } = await import("../../../../src/editor/documents/connectionMarks.ts");
const { DraftMemory } = await import("../../../../src/editor/deployments/drafts/draftMemory.ts");
const { Later } = await import("../../../../src/editor/kit/later.ts");

type Drafts = Parameters<typeof registerConnectionMarks>[1];

const settings: readonly ConnectionSetting[] = [
  { id: "plain", name: "Mine", kind: "agentServer" },
  { id: "p 1", name: "Production", kind: "platform", protected: "word" },
  { id: "blue", name: "Staging", kind: "platform", color: "blue" },
];
const shield = ["\u{1f6e1}", "On “Production”, which is protected", "charts.red"];

describe("The tab of a document", () => {
  const kept = new Map<string, unknown>();
  const memory = new DraftMemory({
    get: (name: string) => kept.get(name),
    update: (name: string, value: unknown) => Promise.resolve(void kept.set(name, value)),
  });
  let marks: { dispose(): void };
  let drafts: Drafts;
  let changes: number;

  beforeEach(() => {
    kept.clear();
    changes = 0;
    drafts = new Later(() => Promise.resolve({ memory, dispose: () => undefined })) as unknown as Drafts;
    const get = (id: string) => settings.find((setting) => setting.id === id);
    marks = registerConnectionMarks({ get, onDidChange: () => ({ dispose: () => undefined }) }, drafts);
    editor.marks?.onDidChangeFileDecorations(() => (changes += 1));
  });
  afterEach(() => marks.dispose());

  for (const [what, uri] of Object.entries({
    "a log": at("agent-operations", "/p%201/deployments/d/revisions/r/build/support 1.4.2 build.log"),
    "a thread's state": at("agent-operations", "/p%201/a/threads/t/state/State.json"),
    "a state that is edited": at("agent-operations-state", "/p%201/a/t/c/State.json"),
    "a connection's test": at("agent-operations", "/connection-test/p%201/Test.txt"),
    "an agent's file": at("agent-operations-agent", "/Production/Triage/AGENTS.md", "p.20.1+a-1"),
  }))
    it(`has a shield where the connection is protected: ${what}`, async () =>
      deepEqual(await markOf(uri), shield));

  it("has it for a draft as soon as it is known where that goes, also after a reload", async () => {
    const draft = at("untitled", "/home/support-on-Production.deployment.json");
    await memory.remember(draft, { connectionId: "p 1" });
    equal(await markOf(draft), undefined, "nobody has read what is kept of drafts");
    await drafts.get();
    await drafts.made;
    equal(changes, 1);
    deepEqual(await markOf(draft), shield);
    await memory.remember(draft, { text: "{}" });
    equal(changes, 1, "it goes where it went");
    await memory.remember(draft, { connectionId: "blue" });
    equal(changes, 2);
    deepEqual(await markOf(draft), [undefined, "On “Staging”", "charts.blue"]);
  });

  it("has none on a connection without mark and color, and for other files", async () => {
    await drafts.get();
    for (const uri of [
      at("agent-operations", "/plain/deployments/d/revisions/r/build/a.log"),
      at("agent-operations", "/gone/deployments/d/revisions/r/build/a.log"),
      at("file", "/p%201/notes.txt"),
      at("file", "/p%201/other.deployment.json"),
    ])
      equal(await markOf(uri), undefined, uri.path);
  });
});

function at(scheme: string, path: string, authority = ""): vscode.Uri {
  return { scheme, path, authority, query: "", toString: () => `${scheme}:${path}` } as vscode.Uri;
}

/** Badge, tooltip and the color's id. */
async function markOf(uri: vscode.Uri): Promise<readonly unknown[] | undefined> {
  const mark = await editor.marks?.provideFileDecoration(uri);
  const [badge, tooltip, color] = mark?.parts ?? [];
  return mark && [badge, tooltip, (color as { readonly parts: readonly unknown[] }).parts[0]];
}
