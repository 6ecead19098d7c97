import { deepEqual, equal } from "node:assert/strict";
import type { JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import { newestLike, readThread } from "../../../../src/run/session/server.ts";
import { ScriptedServer, streamOf } from "./scriptedServer.ts";

type Page = (runs: readonly Run[], limit: number, offset: number) => readonly Run[];

/** How servers cut a list of runs, which is given in the order of their beginnings. */
const newestFirst: Page = (runs, limit, offset) => runs.toReversed().slice(offset, offset + limit);
/** These take the limit for the index of the list's end. */
const oldestFirst: Page = (runs, limit, offset) => runs.slice(offset, limit);

/** A thread with so many runs, and what it is asked for. */
function threadOf(count: number, page: Page) {
  const server = new ScriptedServer();
  const first = server.add({ bytes: streamOf(), status: "success" }, { assistant_id: "chat", input: {} });
  const all = Array.from({ length: count }, (_, number): Run => {
    const at = new Date(1_700_000_000_000 + number * 1000).toISOString();
    return { ...first, run_id: `r${number}`, created_at: at };
  });
  const asked: string[] = [];
  server.runs.list = (_, { limit = 10, offset = 0 } = {}) => {
    asked.push(`${limit} from ${offset}`);
    return Promise.resolve(page(all, limit, offset));
  };
  return { thread: { server, threadId: "thread", signal: new AbortController().signal }, asked };
}

describe("the runs of a thread", () => {
  const cases: readonly (readonly [string, Page, number, number, readonly string[]])[] = [
    ["none", newestFirst, 0, 0, ["100 from 0"]],
    ["few", newestFirst, 99, 99, ["100 from 0"]],
    ["a full first page", newestFirst, 100, 100, ["100 from 0", "1000 from 100"]],
    ["some more", newestFirst, 899, 899, ["100 from 0", "1000 from 100"]],
    ["many", newestFirst, 1150, 1150, ["100 from 0", "1000 from 100", "1000 from 1100"]],
    [
      "more than are shown",
      newestFirst,
      6000,
      5100,
      ["100 from 0", ...[100, 1100, 2100, 3100, 4100].map((offset) => `1000 from ${offset}`)],
    ],
    ["few, the oldest first", oldestFirst, 99, 99, ["100 from 0"]],
    ["some more, the oldest first", oldestFirst, 150, 150, ["100 from 0", "1000 from 0"]],
    [
      "many, the oldest first",
      oldestFirst,
      2500,
      2500,
      ["100 from 0", "1000 from 0", "2000 from 1000", "3000 from 2000"],
    ],
  ];
  for (const [what, page, count, shown, requests] of cases)
    it(`are read to the last, by as many requests as it takes: ${what}`, async () => {
      const { thread, asked } = threadOf(count, page);
      const { runs } = await readThread(thread);
      deepEqual(
        runs.map(({ run_id: id }) => id),
        Array.from({ length: count }, (_, number) => `r${number}`).slice(-shown || count),
      );
      deepEqual(asked, requests);
    });

  it("are not asked for again and again where a server ignores where to go on", async () => {
    const { thread, asked } = threadOf(100, (runs) => runs.toReversed());
    equal((await readThread(thread)).runs.length, 100);
    equal(asked.length, 2);
  });

  it("hold the one that was started without an answer, by its input or its command, or one that hides both", async () => {
    const like = async (kwargs: JsonObject, body: object): Promise<string | undefined> => {
      const { thread } = threadOf(2, (runs) => newestFirst(runs, 2, 0).map((run) => ({ ...run, kwargs })));
      return (await newestLike(thread, { assistant_id: "chat", ...body }))?.run_id;
    };
    const command = { resume: "yes" };
    equal(await like({ input: { a: 1, b: 2 } }, { input: { b: 2, a: 1 } }), "r1");
    equal(await like({ input: { a: 1 } }, { input: { a: 2 } }), undefined);
    equal(await like({ command }, { command }), "r1");
    equal(await like({ command }, { command: { resume: "no" } }), undefined);
    equal(await like({}, { input: { a: 2 } }), "r1");
    const { thread } = threadOf(0, newestFirst);
    equal(await newestLike(thread, { assistant_id: "chat", input: {} }), undefined);
  });
});
