import { deepEqual, equal, match } from "node:assert/strict";
import type { LogEntry, LogPage, LogQuery } from "../../../../src/api/controlPlane/wire.ts";
import { LogBuffer, filterWords } from "../../../../src/editor/deployments/logs/logBuffer.ts";
import { logLineOf, logLineText } from "../../../../src/editor/deployments/logs/logLine.ts";
import { LogTail } from "../../../../src/editor/deployments/logs/logTail.ts";

const { signal } = new AbortController();

describe("a line of a log", () => {
  it("is written with its time and level, on one line, without terminal colours", () => {
    const line = logLineOf({
      id: "1",
      timestamp: 0,
      level: "info",
      message: "\u001b[32mdone\u001b[0m\nmore\n",
    });
    equal(logLineText(line), "1970-01-01T00:00:00.000Z [INFO] done\n    more");
  });

  it("is kept verbatim when the server's entry has another shape", () => {
    equal(logLineText(logLineOf({ text: "hello" } as LogEntry)), '{"text":"hello"}');
    equal(
      logLineText(logLineOf({ timestamp: "2026-01-01T00:00:00Z", message: "x" })),
      "2026-01-01T00:00:00Z x",
    );
  });
});

describe("the lines of a log", () => {
  it("are bounded, and what was let go is counted", () => {
    const buffer = new LogBuffer(3);
    buffer.add(["a", "b", "c", "d", "e"].map((message, id) => logLineOf({ id, message })));
    equal(buffer.text({}), "… 2 lines trimmed\nc\nd\ne\n");
  });

  it("are each there once", () => {
    const buffer = new LogBuffer(10);
    const lines = [1, 1, 2].map((id) => logLineOf({ id, message: `line ${String(id)}` }));
    equal(buffer.add(lines), 2);
    equal(buffer.add(lines), 0);
  });

  it("are filtered by level and text, also those that come later, and come back", () => {
    const buffer = new LogBuffer(10);
    const add = (id: number, level: string, message: string) =>
      buffer.add([logLineOf({ id, level, message })]);
    add(1, "INFO", "Building main.");
    add(2, "error", "The build failed.");
    equal(buffer.text({ level: "WARNING" }), "[ERROR] The build failed.\n");
    add(3, "CRITICAL", "Out of memory.");
    add(4, "NOTICE", "A level that nobody knows.");
    equal(
      buffer.text({ level: "WARNING" }),
      "[ERROR] The build failed.\n[CRITICAL] Out of memory.\n[NOTICE] A level that nobody knows.\n",
    );
    equal(buffer.text({ level: "WARNING", text: "BUILD" }), "[ERROR] The build failed.\n");
    equal(buffer.shown({}).length, 4);
  });

  it("say why nothing is shown", () => {
    const buffer = new LogBuffer(10);
    equal(buffer.text({}), "No lines yet.\n");
    buffer.add([logLineOf({ id: 1, level: "INFO", message: "x" })]);
    equal(
      buffer.text({ level: "ERROR", text: "y" }),
      "None of 1 line passes the filter: ERROR and above, “y”.\n",
    );
    equal(filterWords({}), "");
  });
});

describe("following a log", () => {
  it("begins with the newest lines and says that there are earlier ones", async () => {
    const server = serve(2500);
    const tail = new LogTail(server.read, 2000);
    match(tail.text, /Loading/);
    equal(await tail.fetch(signal), true);
    const lines = tail.text.trimEnd().split("\n");
    equal(lines[0], "… earlier lines are on the server");
    match(lines[1] ?? "", /line 500$/);
    match(lines.at(-1) ?? "", /line 2499$/);
    equal(server.queries.length, 2);
  });

  it("adds what comes later, also several pages in one moment, and nothing twice", async () => {
    const server = serve(3);
    const tail = new LogTail(server.read, 10_000);
    await tail.fetch(signal);
    equal(await tail.fetch(signal), false);
    server.grow(2500);
    equal(await tail.fetch(signal), true);
    deepEqual(tail.counts, { all: 2503, shown: 2503 });
    match(tail.text, /line 2\n.*line 3\n/);
  });

  it("asks an empty log from its beginning", async () => {
    const server = serve(0);
    const tail = new LogTail(server.read, 100);
    equal(await tail.fetch(signal), true);
    equal(tail.text, "No lines yet.\n");
    server.grow(1);
    equal(await tail.fetch(signal), true);
    match(tail.text, /line 0/);
  });
});

/** Plays the log of a server whose lines, but for the first ones, all come in one moment. */
function serve(count: number) {
  const queries: LogQuery[] = [];
  let size = count;
  const moment = Date.UTC(2026, 0, 1);
  const at = (number: number): number => moment + Math.min(number, count);
  const read = (query: LogQuery): Promise<LogPage> => {
    queries.push(query);
    const { order, limit = 50, offset, start_time } = query;
    const all = Array.from({ length: size }, (_, number) => number).filter(
      (number) => start_time === undefined || at(number) >= Date.parse(start_time),
    );
    if (order === "desc") all.reverse();
    const start = offset === undefined ? 0 : all.indexOf(Number(offset)) + 1;
    const page = all.slice(start, start + limit);
    return Promise.resolve({
      logs: page.map((id) => ({ id, timestamp: at(id), level: "INFO", message: `line ${String(id)}` })),
      next_offset: start + limit < all.length ? String(page.at(-1)) : null,
    });
  };
  return { queries, read, grow: (by: number) => (size += by) };
}
