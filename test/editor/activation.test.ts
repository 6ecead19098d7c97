import { strict as assert } from "node:assert";

import * as vscode from "vscode";
import { extensionUnderTest } from "./extensionUnderTest.ts";

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/** The parts that were made when the extension was activated, and nothing of it used. */
let madeFirst: readonly string[] | undefined;

// Before every other suite's first test, whichever that is.
before("activate", async () => {
  const { services, views, documents, panels } = await extensionUnderTest().activate();
  const parts = { services, ...views, ...documents, panels };
  const made: string[] = [];
  for (const [name, part] of Object.entries(parts)) void part.made.then(() => made.push(name));
  await vscode.commands.getCommands(true);
  madeFirst = [...made];
});

describe("Activation", () => {
  const extension = vscode.extensions.getExtension("agent-operations.agent-operations");

  // Every file is loaded before the first test runs, so this holds whichever suite comes first.
  const wasActive = extension?.isActive;

  it("waits until something of ours is used", () => {
    assert(extension, "the extension is not installed in this editor");
    assert.equal(wasActive, false);
  });

  it("loads no model, view or document until one is used", () => {
    assert.deepEqual(madeFirst, []);
  });

  it("registers every command that the manifest offers", async () => {
    assert(extension);
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const { contributes } = extension.packageJSON as Manifest;
    const missing = contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});
