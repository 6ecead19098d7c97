import { strict as assert } from "node:assert";

import * as vscode from "vscode";

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe("Activation", () => {
  const extension = vscode.extensions.getExtension("agent-operations.agent-operations");

  it("waits until something of ours is used", () => {
    assert(extension, "the extension is not installed in this editor");
    assert.equal(extension.isActive, false);
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
