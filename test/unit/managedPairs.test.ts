import { strict as assert } from "node:assert";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { COMMANDS } from "../../src/editor/kit/ids.ts";
import { managedPairs } from "../managedPairs.ts";
import { managedAgentRows } from "./emulator/rows/managedAgents.ts";
import { toolServerRows } from "./emulator/rows/toolServers.ts";

describe("The managed-agents API", () => {
  it("has each of its 28 methods and paths in the table of what reaches it", () => {
    const specified = [managedAgentRows, toolServerRows].flatMap(({ endpoints }) => Object.keys(endpoints));
    assert.equal(specified.length, 28);
    assert.deepEqual(Object.keys(managedPairs).toSorted(), specified.toSorted());
  });

  it("is reached by commands that exist", () => {
    const known: readonly string[] = COMMANDS;
    const missing = Object.entries(managedPairs).flatMap(([pair, { commands }]) => {
      const unknown = Object.keys(commands).filter(
        (command) => !known.includes(`agentOperations.${command}`),
      );
      return Object.keys(commands).length === 0 ? [pair] : unknown.map((command) => `${pair} → ${command}`);
    });
    assert.deepEqual(missing, []);
  });

  it("is tested by tests that exist, of the client and where a person stands", () => {
    const [ofClient, ofWindow] = [titlesIn("unit/api"), titlesIn("editor")];
    const missing = Object.entries(managedPairs).flatMap(([pair, { client, commands }]) => [
      ...(client.length === 0 ? [pair] : []),
      ...client.filter((test) => !ofClient.has(test)).map((test) => `${pair} → unit/api/${test}`),
      ...Object.values(commands)
        .filter((test) => !ofWindow.has(test))
        .map((test) => `${pair} → editor/${test}`),
    ]);
    assert.deepEqual(missing, []);
  });
});

/** The titles of a folder's tests as they are written, each with the name of its file. */
function titlesIn(folder: string): ReadonlySet<string> {
  const path = join(import.meta.dirname, "..", folder);
  const titles = globSync("*.test.ts", { cwd: path }).flatMap((file) => {
    const source = readFileSync(join(path, file), "utf8");
    const written = source.matchAll(/\bit\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs);
    return [...written].map(([, , title = ""]) => `${basename(file, ".test.ts")}: ${title}`);
  });
  return new Set(titles);
}
