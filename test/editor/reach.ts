import { deepEqual } from "node:assert/strict";
import * as vscode from "vscode";
import { readEndpoints } from "../support/interface.ts";
import { extensionUnderTest } from "./extensionUnderTest.ts";

/** Notes in each test which commands were given, and what the extension asked after them. */
export class Reach {
  readonly #endpoints = readEndpoints(process.env["AGENT_OPERATIONS_REPO"] ?? ".");
  readonly #reached = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #given = new Set<string>();
  #listening = false;

  /** Watches the commands from now on, and the requests once a test has made the extension active. */
  watch(): void {
    const { commands } = vscode;
    const execute = commands.executeCommand.bind(commands);
    const watched = (command: string, ...rest: readonly unknown[]): Thenable<unknown> => {
      this.#listen();
      this.#given.add(command.replace(/^agentOperations\./, ""));
      return execute(command, ...rest);
    };
    Object.assign(commands, { executeCommand: watched });
  }

  /** A command counts for the requests of its own test. */
  begin(): void {
    this.#given.clear();
  }

  /** Fails when a command did not send what docs/interface.md says, or a request is not in it. */
  check(): void {
    const missing = this.#endpoints.all.flatMap(({ name, commands }) =>
      commands.map((command) => `${command} → ${name}`).filter((pair) => !this.#reached.has(pair)),
    );
    deepEqual({ missing, unknown: [...this.#unknown] }, { missing: [], unknown: [] });
  }

  #listen(): void {
    const extension = extensionUnderTest();
    if (this.#listening || !extension.isActive) return;
    this.#listening = true;
    void extension.exports.services.made.then(({ transport }) =>
      transport.onExchange(({ method, url }) => {
        const { pathname } = new URL(url);
        const endpoint = this.#endpoints.find(method, pathname);
        if (endpoint === undefined) this.#unknown.add(`${method} ${pathname}`);
        else for (const command of this.#given) this.#reached.add(`${command} → ${endpoint.name}`);
      }),
    );
  }
}
