import { equal, ok, rejects } from "node:assert/strict";
import * as vscode from "vscode";
import { chooseFromPages } from "../../src/editor/kit/ask/pagedChoice.ts";
import { askChoice } from "../../src/editor/kit/ask/questions.ts";
import { until } from "../support/until.ts";
import { ShownQuestions } from "./questionBox.ts";

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

describe("A choice among a few", () => {
  const choices = ["one", "two", "three"].map((value) => ({ label: value, value }));

  it("is the first of them by Enter alone, or the one that is meant", async () => {
    using questions = new ShownQuestions();
    const first = askChoice({ title: "Few" }, choices, { placeholder: "" });
    await questions.accept(1);
    equal(await first, "one");
    const meant = askChoice({ title: "Few" }, choices, { placeholder: "", active: "two" });
    await questions.accept(2);
    equal(await meant, "two");
  });
});
