import { deepEqual } from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import * as vscode from "vscode";
import { readEndpoints } from "../support/interface.ts";
import { changingCommands, onLocalPlatform, onOwnGraphs } from "./changingCommands.ts";
import { extensionUnderTest } from "./extensionUnderTest.ts";

/**
 * Notes in each test which commands were given, and what the extension asked by them: what a command waits for counts for
 * that one, and what comes of itself, as a view that reads anew, for the last one given.
 */
export class Reach {
  readonly #endpoints = readEndpoints(process.env["AGENT_OPERATIONS_REPO"] ?? ".");
  readonly #reached = new Set<string>();
  readonly #unknown = new Set<string>();
  /** The commands, one given by another, that a request is sent by. */
  readonly #by = new AsyncLocalStorage<readonly string[]>();
  #last: readonly string[] = [];
  /** The names of the actions that changed something. */
  readonly #changing = new Set<string>();
  #listening = false;

  /** Watches the commands from now on, and the requests once a test has made the extension active. */
  watch(): void {
    const { commands } = vscode;
    const execute = commands.executeCommand.bind(commands);
    const watched = (command: string, ...rest: readonly unknown[]): Thenable<unknown> => {
      this.#listen();
      const [, own] = /^agentOperations\.(.+)/.exec(command) ?? [];
      if (own === undefined) return execute(command, ...rest);
      const by = [...(this.#by.getStore() ?? []), own];
      this.#last = by;
      return this.#by.run(by, () => execute(command, ...rest));
    };
    Object.assign(commands, { executeCommand: watched });
  }

  /** A command counts for the requests of its own test alone. */
  begin(): void {
    this.#last = [];
  }

  /**
   * Fails when a command did not send what docs/interface.md says, when a request is not in it, and when a command
   * changed something that the test of protected connections does not know.
   */
  check(): void {
    const missing = this.#endpoints.all.flatMap(({ name, commands }) =>
      commands.map((command) => `${command} → ${name}`).filter((pair) => !this.#reached.has(pair)),
    );
    const unwalked = [...this.#changing].filter((name) => !isWalked(name));
    deepEqual({ missing, unknown: [...this.#unknown], unwalked }, { missing: [], unknown: [], unwalked: [] });
  }

  #listen(): void {
    const extension = extensionUnderTest();
    if (this.#listening || !extension.isActive) return;
    this.#listening = true;
    void extension.exports.services.made.then(({ transport }) => {
      transport.onDidMakeChange(({ by }) => by !== undefined && this.#changing.add(by));
      transport.onExchange(({ method, url }) => {
        const { pathname } = new URL(url);
        const endpoint = this.#endpoints.find(method, pathname);
        const by = this.#by.getStore() ?? this.#last;
        if (endpoint === undefined) this.#unknown.add(`${method} ${pathname}`);
        else for (const command of by) this.#reached.add(`${command} → ${endpoint.name}`);
      });
    });
  }
}

/**
 * Whether the test of protected connections asks about what is called so: a command by its title, a file or a folder by
 * its path, an edited state, a panel.
 */
function isWalked(name: string): boolean {
  if (
    /^(Save|Delete|Rename) (\S*\.\w+|[a-z]\S*)$|^Run Panel: |^Write State$|^Deliver to This Port$/.test(name)
  )
    return true;
  const { contributes } = extensionUnderTest().packageJSON as {
    readonly contributes: {
      readonly commands: readonly { readonly command: string; readonly title: string }[];
    };
  };
  const walked = [...Object.keys(changingCommands), ...onLocalPlatform, ...onOwnGraphs].map(
    (id) => `agentOperations.${id}`,
  );
  return contributes.commands.some(
    ({ command, title }) => walked.includes(command) && title.replace(/…$/, "") === name,
  );
}
