import { deepEqual, match } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { until } from "../support/until.ts";

describe("Files of issue events", () => {
  it("are checked against their schema as they are written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "issue-events-"));
    const open = async (name: string, value: unknown): Promise<vscode.Uri> => {
      const file = join(folder, `${name}.issue-event.json`);
      await writeFile(file, JSON.stringify(value, null, 2));
      return (await vscode.window.showTextDocument(vscode.Uri.file(file))).document.uri;
    };
    const sample = sampleEvent("issue.created", 1);
    const wrong = { ...sample, data: { object: { ...sample.data.object, severity: 7 }, trace: {} } };
    const bad = await open("bad", wrong);
    const problems = await until("the mistakes are marked", () => {
      const found = vscode.languages.getDiagnostics(bad);
      return found.length === 0 ? undefined : found;
    });
    const messages = problems.map(({ message }) => message).join("\n");
    match(messages, /3/);
    match(messages, /Only issue\.trace\.added has a trace/);
    const good = await open("good", sampleEvent("issue.trace.added", 3));
    const alsoBad = await open("also-bad", { ...sample, created: "now" });
    await until("later files are checked", () => vscode.languages.getDiagnostics(alsoBad).length > 0);
    deepEqual(vscode.languages.getDiagnostics(good), []);
    await rm(folder, { recursive: true });
  });
});
