import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { editor } from "../fakeVscode.ts";
import type { registerCommands as register } from "../../../../src/editor/commands/index.ts";

interface Call {
  readonly command: string;
  readonly args: readonly unknown[];
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8")) as {
  readonly contributes: { readonly keybindings: readonly { readonly command: string }[] };
};

describe("Commands with keys", () => {
  /** How often a handler was made to be run. */
  let entered = 0;
  let firstCalls: readonly Call[] = [];

  before(async () => {
    const { registerCommands } = await import("../../../../src/editor/commands/index.ts");
    const context = {
      extension: { packageJSON: { ...manifest, contributes: contributes() } },
      workspaceState: new Map(),
    };
    const services = {
      get: () => {
        entered += 1;
        return Promise.resolve({});
      },
    };
    // They fail at once, as they are given nothing to work with.
    const parts = {
      core: { context, report: { failure: () => undefined } },
      services,
      panels: services,
      views: {},
    };
    registerCommands(parts as unknown as Parameters<typeof register>[0]);
    firstCalls = editor.commands.map(([command, ...args]) => ({ command: String(command), args }));
  });

  it("are each called once at activation, so that the editor gives them the right row later", () => {
    deepEqual(new Set(firstCalls.map(({ command }) => command)), new Set(keyed()));
    equal(firstCalls.length, new Set(keyed()).size);
  });

  it("run no handler at activation", async () => {
    for (const { command, args } of firstCalls) await editor.handlers.get(command)?.(...args);
    equal(entered, 0);
  });

  it("run their handler when a key is pressed", async () => {
    for (const command of new Set(keyed())) await editor.handlers.get(command)?.([]);
    equal(entered, new Set(keyed()).size);
  });
});

function keyed(): readonly string[] {
  return manifest.contributes.keybindings.map(({ command }) => command);
}

function contributes(): unknown {
  return { ...manifest.contributes, commands: [] };
}
