import { deepEqual, equal } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "../fakeVscode.ts";
import type * as Repair from "../../../../src/editor/commands/threads/repair.ts";

const root = join(import.meta.dirname, "../../../../src/editor/commands");
/** What a handler was given, believed to be of some type without a look at it. */
const believed =
  /(?<![.\w])(?:value|node|named|list|uri|start|clicked|selected|args\[\d+\]|Object\(\w+\)) as (?!const)/;
const rowClass = /instanceof \w*Node\b/;
/** What says that something happened is the model's that did it. */
const told = /\.notify\(|\bdeployments\.changed\(|\bwaitingThreads\.(?:forget|set|update)\(/;

describe("The commands' modules", () => {
  const lines = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .filter((line) => !line.startsWith("import "))
        .map((line) => ({ file, line })),
    )
    .filter(({ line }) => !/^\s*(\/\/|\/?\*)/.test(line));
  const titled = (line: string): string => line.replaceAll(/"[^"]*"|`[^`]*`/g, '""');

  it("check what they were given, by the readers of kit/ask/meant.ts", () => {
    deepEqual(
      lines.filter(({ line }) => believed.test(titled(line))),
      [],
    );
  });

  it("leave it to the models to say what was changed", () => {
    deepEqual(
      lines.filter(({ line }) => told.test(line)),
      [],
    );
  });

  it("know no classes of rows", () => {
    deepEqual(
      lines.filter(({ line }) => rowClass.test(line)),
      [],
    );
  });
});

describe("The repair that a command is asked for", () => {
  let repair: typeof Repair;
  before(async () => {
    repair = await import("../../../../src/editor/commands/threads/repair.ts");
  });

  it("is taken as it is named, beside a thread or in a reference", () => {
    const actions = [
      { verb: "continue" },
      { verb: "from", checkpointId: "c" },
      { verb: "from" },
      { verb: "skip", node: "n" },
      { verb: "resend", message: "m", text: "" },
    ];
    for (const action of actions) {
      deepEqual(repair.actionIn({ threadId: "t", action }), action);
      deepEqual(repair.actionIn([{ ref: { action } }]), action);
    }
  });

  it("is asked for where none is named, or one that makes no sense", () => {
    const actions = [
      undefined,
      "continue",
      {},
      { verb: "toString" },
      { verb: "resend", text: "no message" },
      { verb: "from", checkpointId: 7 },
    ];
    for (const action of actions) equal(repair.actionIn({ threadId: "t", action }), undefined);
  });
});
