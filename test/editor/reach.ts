import { deepEqual } from "node:assert/strict";
import { basename } from "node:path";
import * as vscode from "vscode";
import { managedPairs } from "../managedPairs.ts";
import { extensionUnderTest } from "./extensionUnderTest.ts";

/** Notes in each test which commands were given, and what the extension asked a platform's managed agents after them. */
export class Reach {
  /** By test, as `file: title`: commands, each with a method and path that was sent after it. */
  readonly #reached = new Map<string, Set<string>>();
  readonly #given = new Set<string>();
  #test = "";
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

  /** What is seen from now on belongs to this test. */
  begin({ file = "", title }: Mocha.Test): void {
    this.#test = `${basename(file, ".test.ts")}: ${title}`;
    this.#given.clear();
    this.#reached.set(this.#test, new Set());
  }

  /** Fails when a test that ran did not do what the table of methods and paths names it for. */
  check(): void {
    const wrong = Object.entries(managedPairs).flatMap(([pair, { commands }]) =>
      Object.entries(commands)
        .filter(([command, test]) => this.#reached.get(test)?.has(reaching(command, pair)) === false)
        .map(([command, test]) => `${reaching(command, pair)} (${test})`),
    );
    deepEqual(wrong, [], "tests in test/managedPairs.ts that do not send what they are named for");
  }

  #listen(): void {
    const extension = extensionUnderTest();
    if (this.#listening || !extension.isActive) return;
    this.#listening = true;
    extension.exports.transport.onExchange(({ method, url }) => {
      require("node:fs").appendFileSync("/tmp/t/reach.log", JSON.stringify({ test: this.#test, commands: [...this.#given], method, path: new URL(url).pathname }) + "\n");
      const pair = pairOf(method, new URL(url).pathname);
      if (pair === undefined) return;
      for (const command of this.#given) this.#reached.get(this.#test)?.add(reaching(command, pair));
    });
  }
}

function reaching(command: string, pair: string): string {
  return `${command} → ${pair}`;
}

/** Paths without a parameter come first: a count is no thread's id. */
const patterns = Object.keys(managedPairs)
  .toSorted((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
  .map((pair) => ({ pair, pattern: new RegExp(`^${pair.replace(/\{\w+\}/g, "[^/]+")}$`) }));

function pairOf(method: string, path: string): string | undefined {
  const [, below] = path.split("/v1/managed");
  return below === undefined
    ? undefined
    : patterns.find(({ pattern }) => pattern.test(`${method} ${below}`))?.pair;
}
