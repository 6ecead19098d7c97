import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import type { Surfaces } from "../../../src/editor/commands/index.ts";
import type { Services } from "../../../src/editor/services.ts";

type Handler = (...args: readonly unknown[]) => Promise<void>;

interface Call {
  readonly command: string;
  readonly args: readonly unknown[];
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8")) as {
  readonly contributes: { readonly keybindings: readonly { readonly command: string }[] };
};

describe("Commands with keys", () => {
  const handlers = new Map<string, Handler>();
  /** Titles of commands that were entered: their handlers fail at once, as they are given nothing to work with. */
  const entered: string[] = [];
  let firstCalls: readonly Call[] = [];
  let hooks: { deregister(): void } | undefined;

  before(async () => {
    hooks = editorOf({
      registerCommand: (id: string, handler: Handler) => {
        handlers.set(id, handler);
        return { dispose: () => undefined };
      },
      executeCommand: (id: string, { commands }: { readonly commands: readonly Call[] }) => {
        equal(id, "runCommands");
        // What the editor gives on has been through its other process.
        firstCalls = JSON.parse(JSON.stringify(commands)) as readonly Call[];
        return Promise.resolve();
      },
    });
    const { registerCommands } = await import("../../../src/editor/commands/index.ts");
    const services = {
      context: { extension: { packageJSON: { ...manifest, contributes: contributes() } } },
      authAttempts: { onDidResume: () => ({ dispose: () => undefined }), resume: () => undefined },
      report: { failure: (title: string) => void entered.push(title) },
    };
    registerCommands(services as unknown as Services, () => Promise.resolve({} as Surfaces));
  });

  after(() => hooks?.deregister());

  it("are each called once at activation, so that the editor gives them the right row later", () => {
    deepEqual(new Set(firstCalls.map(({ command }) => command)), new Set(keyed()));
    equal(firstCalls.length, new Set(keyed()).size);
  });

  it("run no handler at activation", async () => {
    for (const { command, args } of firstCalls) await handlers.get(command)?.(...args);
    deepEqual(entered, []);
  });

  it("run their handler when a key is pressed", async () => {
    for (const command of new Set(keyed())) await handlers.get(command)?.([]);
    deepEqual(new Set(entered), new Set(keyed()));
  });
});

function keyed(): readonly string[] {
  return manifest.contributes.keybindings.map(({ command }) => command);
}

function contributes(): unknown {
  return { ...manifest.contributes, commands: [] };
}

/** An editor that has these commands, and nothing else that works. */
function editorOf(commands: object): { deregister(): void } {
  Object.assign(globalThis, { commandsOfTest: commands });
  const source = `
    export const commands = globalThis.commandsOfTest;
    export const Disposable = { from: () => ({ dispose: () => undefined }) };
  `;
  return registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "vscode" ? { url: "editor:vscode", shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === "editor:vscode" ? { format: "module", source, shortCircuit: true } : next(url, context),
  });
}
