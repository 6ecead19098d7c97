import { equal } from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { realClock } from "../../../../src/api/poll.ts";
import {
  agreementOn,
  type BulkItem,
  type BulkJob,
  type NewJob,
} from "../../../../src/editor/bulk/bulkJob.ts";
import type { BulkWork } from "../../../../src/editor/bulk/bulkRound.ts";
import type { Connections } from "../../../../src/editor/connections/connections.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { until } from "../../../support/until.ts";
import "../fakeVscode.ts";

const { window } = (await import("vscode")) as unknown as { readonly window: Record<string, unknown> };
const { BulkChanges } = await import("../../../../src/editor/bulk/bulkChanges.ts");
const { ActivityLog } = await import("../../../../src/editor/kit/activityLog.ts");

const connection = { id: "p", name: "Production", kind: "platform", url: "https://p.test" } as const;

describe("Work on many things that asks whether to go on", () => {
  const { showInformationMessage } = window;
  let folder: string;
  let asked: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "bulk-"));
    asked = [];
    // As the editor's, which stands or waits in its list until somebody answers.
    const showInformationMessage = (text: string): Promise<never> => {
      asked.push(text);
      return new Promise(() => undefined);
    };
    Object.assign(window, { showInformationMessage });
  });
  afterEach(() => rm(folder, { recursive: true }));
  after(() => void Object.assign(window, { showInformationMessage }));

  it("ends when it is cancelled, though nobody answers the question", async () => {
    const activity = new ActivityLog(new TestMemento());
    const connections = { get: () => connection } as unknown as Connections;
    const context = {
      globalStorageUri: { fsPath: folder } as vscode.Uri,
      workspaceState: new TestMemento(),
    };
    const changes = new BulkChanges({ activity, clock: realClock, connections, context });
    const sent: string[] = [];
    const work = (): BulkWork<BulkItem> => ({
      prepare: ({ name }) => Promise.resolve(() => Promise.resolve((sent.push(name), {}))),
      checkSent: () => Promise.resolve({ not: {} }),
      follow: () => Promise.resolve({ isDone: true, said: "" }),
    });
    const begun = changes.begin<BulkJob>(job(["a", "b"]), work);
    await until("it asks", () => asked.some((text) => /Go on\?/.test(text)));
    const [row] = activity.entries;
    row?.options.cancel?.();
    await begun;
    equal(row?.end?.how, "stopped");
    equal(sent.join(), "a");
    changes.dispose();
  });
});

function job(names: readonly string[]): NewJob {
  return {
    ...{ title: "Redeploy 2 deployments", doneWord: "deployed", change: { kind: "redeploy" } },
    ...{
      pace: { atOnce: 1, everyMs: 0, mostFailures: 1 },
      agreed: [agreementOn(connection)],
      isTried: false,
    },
    items: names.map((name) => ({
      ...{ connectionId: connection.id, name, before: null, words: "again" },
      state: "waiting",
    })),
  };
}
