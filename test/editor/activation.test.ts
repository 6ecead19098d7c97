import { strict as assert } from "node:assert";

import * as vscode from "vscode";

describe("Activation", () => {
  it("happens when the extension is asked for, and leaves it active", async () => {
    const extension = vscode.extensions.getExtension("agent-operations.agent-operations");
    assert(extension, "the extension is not installed in this editor");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
