import { deepEqual, equal } from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { sparing } from "../../host/otherExtensions.ts";

const theirs = join("/editor", "extensions", "their.debugger");
const runtime = "    at emitErrorNT (node:internal/streams/destroy:170:8)\n    at node:net:2021:16";
const their = `    at ClientRequest.<anonymous> (${join(theirs, "main.js")}:23:14)`;
const our = `    at later (${join("/work", "out", "editor-tests", "index.cjs")}:7:1)`;

describe("An uncaught exception in the host that extensions share", () => {
  const thrown = (...frames: readonly string[]): Error =>
    Object.assign(new Error("refused"), { stack: ["Error: refused", ...frames].join("\n") });
  let told: string[];
  let blamed: unknown[];
  let host: EventEmitter;
  let end: () => void;

  beforeEach(() => {
    [told, blamed, host] = [[], [], new EventEmitter()];
    const begin = (): string => {
      host.on("uncaughtException", (error) => blamed.push(error));
      return "begun";
    };
    const sparingOnes = sparing(host, [theirs], (stack) => told.push(stack), begin);
    equal(sparingOnes.result, "begun");
    end = sparingOnes.end;
  });

  it("is told, and no test's fault, where another extension alone threw it", () => {
    host.emit("uncaughtException", thrown(their, runtime));
    deepEqual([told.length, blamed], [1, []]);
  });

  it("is a test's fault where our code has a part in it, or nobody knows whose it is", () => {
    const ours = [
      thrown(our),
      thrown(their, runtime, our),
      thrown(our, their),
      thrown(runtime),
      thrown(),
      "x",
    ];
    for (const error of ours) host.emit("uncaughtException", error);
    deepEqual([told, blamed], [[], ours]);
  });

  it("is heard of by those who listened before, and by nobody in the end", () => {
    const before: unknown[] = [];
    const shared = new EventEmitter().on("uncaughtException", (error) => before.push(error));
    const spared = sparing(
      shared,
      [theirs],
      () => undefined,
      () => shared.on("uncaughtException", () => blamed.push(1)),
    );
    const error = thrown(their);
    shared.emit("uncaughtException", error);
    deepEqual([before, blamed], [[error], []]);
    spared.end();
    equal(shared.listenerCount("uncaughtException"), 1);
    end();
    equal(host.listenerCount("uncaughtException"), 0);
  });
});
