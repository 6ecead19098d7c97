import { appendFileSync } from "node:fs";
import { format } from "node:util";

import * as vscode from "vscode";
import { sparing } from "../host/otherExtensions.ts";
import { retries, sayRetries } from "../host/retries.ts";
import { Reach } from "./reach.ts";

/** A test file's path from the repository's root, and what loads it. */
export type TestFile = readonly [path: string, load: () => unknown];

/**
 * Runs the test files with mocha inside the extension host; rejects when one fails.
 * Everything printed goes to the file that the runner follows, because a host in a browser has no terminal.
 */
export async function runTests(files: readonly TestFile[]): Promise<void> {
  printTo(process.env["AGENT_OPERATIONS_TEST_OUTPUT"]);
  const { default: Mocha } = await import("mocha");
  const grep = process.env["AGENT_OPERATIONS_TEST_GREP"];
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 240_000,
    slow: 2_000,
    retries,
    forbidOnly: process.env["CI"] !== undefined,
    ...(grep === undefined || grep === "" ? {} : { grep }),
  });
  for (const [path, load] of files) {
    mocha.suite.emit("pre-require", globalThis, path, mocha);
    mocha.suite.emit("require", load(), path, mocha);
    mocha.suite.emit("post-require", globalThis, path, mocha);
  }
  const reach = new Reach();
  mocha.suite.beforeAll(() => reach.watch());
  mocha.suite.beforeEach(() => reach.begin());
  // Some of the tests alone reach only some of the endpoints.
  if (grep === undefined || grep === "")
    mocha.suite.afterAll("commands send what docs/interface.md says", () => reach.check());
  const others = vscode.extensions.all
    .map(({ extensionPath }) => extensionPath)
    .filter((path) => path !== process.env["AGENT_OPERATIONS_REPO"]);
  const { promise, resolve } = Promise.withResolvers<number>();
  const { result: runner, end } = sparing(process, others, sayOther, () => mocha.run(resolve));
  sayRetries(runner);
  const failures = await promise.finally(end);
  if (failures > 0) throw new Error(`${failures} failed`);
}

function sayOther(stack: string): void {
  console.log(`    ! another extension threw: ${stack}`);
}

/** The extension host makes its console's methods deaf to assignment. */
function printTo(file: string | undefined): void {
  if (file === undefined) return;
  const value = (...values: unknown[]): void => appendFileSync(file, `${format(...values)}\n`);
  Object.defineProperty(console, "log", { value, writable: true, configurable: true });
}
