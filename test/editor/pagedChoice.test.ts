import { ok, rejects } from "node:assert/strict";
import * as vscode from "vscode";
import { chooseFromPages } from "../../src/editor/kit/ask/pagedChoice.ts";
import { until } from "../support/until.ts";

describe("A choice that is read page by page", () => {
  it("is over at once when nobody chooses, though a page never comes", async () => {
    let asked: AbortSignal | undefined;
    async function* never(signal: AbortSignal): AsyncIterable<vscode.QuickPickItem> {
      asked = signal;
      await new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("left")));
      });
      yield { label: "never" };
    }
    const choosing = chooseFromPages({ title: "Pages", placeholder: "", items: never, more: "More" });
    await until("the first page is asked for", () => asked !== undefined);
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    await rejects(choosing, vscode.CancellationError);
    ok(asked?.aborted);
  });
});
