import { equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { RunPanel } from "../../src/editor/runPanel/runPanel.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("The menu of a run", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let panel: RunPanel;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    const { id: connectionId } = await connectServer(extension, "Sample", platform);
    const { deploymentUrl: url } = platform.ready;
    panel = extension.panels.openNew({ connectionId, server: { kind: "agentServer", url } });
    await panel.session.start({
      assistantId: "echo",
      input: { text: "it's $(mine)" },
      streamModes: ["updates"],
      configurable: { openai_api_key: "sk-0123456789abcdefghij", user: "me" },
    });
    await idle(panel);
    await until("it is in front", () => panel.active);
  });

  it("runs what was run again, in the same thread and in a new one", async () => {
    await command("again");
    await idle(panel);
    equal(runs(panel).length, 2);
    equal(said(panel).filter((text) => text === "it's $(mine)").length, 2);
    const [first] = runs(panel);
    await command("againInNewThread", { runId: first });
    const other = extension.panels.inFront!;
    ok(other !== panel, "no new panel");
    await idle(other);
    equal(runs(other).length, 1);
    equal(said(other)[0], "it's $(mine)");
    ok(other.thread?.threadId !== panel.thread?.threadId, "the same thread");
  });

  it("copies the run's id, and code that has its thread and input, but neither key nor credentials", async () => {
    const [runId = ""] = runs(panel);
    await command("copyId", { runId });
    equal(await vscode.env.clipboard.readText(), runId);
    using person = new Person();
    for (const [verb, marks] of [
      [
        "copyCurl",
        [/^curl .*\/runs\/stream' \\/, /--header 'x-api-key: '"\$API_KEY"/, /it'\\''s \$\(mine\)/],
      ],
      ["copyTypeScript", [/apiKey: process\.env\.API_KEY/, /"it's \$\(mine\)"/]],
      ["copyPython", [/api_key=os\.environ\["API_KEY"\]/, /"it's \$\(mine\)"/]],
    ] as const) {
      await command(verb, { runId });
      const code = await vscode.env.clipboard.readText();
      for (const mark of [...marks, /"user": "me"/, /"openai_api_key": "•••"/]) match(code, mark);
      match(code, new RegExp(panel.thread!.threadId));
      equal(code.includes(platform.ready.apiKey) || code.includes("sk-0123"), false);
    }
    equal(person.told.filter((text) => text.startsWith("A credential in the copied run")).length, 3);
  });

  it("is asked for by the palette, with what can be done", async () => {
    using person = new Person();
    person.will({ choose: "1. it's $(mine)" }, { choose: "Copy its ID" });
    await command("actions");
    equal(await vscode.env.clipboard.readText(), runs(panel)[0]);
    ok(!person.asked.at(-1)?.rows.join().includes("trace"), "a trace that nobody knows");
    person.done();
  });

  it("says of an answer that it can't be given again", async () => {
    await panel.session.start({ assistantId: "approval", input: { text: "Tell" }, streamModes: ["updates"] });
    await idle(panel);
    const question = panel.session.entries.find((entry) => entry.kind === "interrupt")!;
    await panel.session.answers.decide(question.id, [{ type: "approve" }]);
    await idle(panel);
    using person = new Person();
    await command("again", { runId: runs(panel).at(-1) });
    match(person.told.join("\n"), /brought the answer to a question/);
  });
});

async function command(verb: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`agentOperations.run.${verb}`, ...args);
}

async function idle({ session }: RunPanel): Promise<void> {
  await until("nothing runs", () => session.state.kind === "idle");
}

function runs({ session }: RunPanel): readonly string[] {
  return session.entries.flatMap((entry) => (entry.kind === "run" ? entry.runId : []));
}

function said({ session }: RunPanel): readonly string[] {
  return session.entries.flatMap((entry) => (entry.kind === "message" ? entry.text : []));
}
