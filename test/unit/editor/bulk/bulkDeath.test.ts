import { deepEqual, equal } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BulkItem, BulkJob } from "../../../../src/editor/bulk/bulkJob.ts";
import { BulkRecords } from "../../../../src/editor/bulk/bulkRecords.ts";
import { bulkRound, type BulkWork, LeftOut } from "../../../../src/editor/bulk/bulkRound.ts";

const names = ["a", "b", "c", "d"];
const never = new Promise<never>(() => undefined);

/** What was begun of each thing, and what became of it. */
class World {
  readonly begun: string[] = [];
  work: BulkWork<BulkItem> = {
    prepare: ({ name }) => {
      if (this.begun.includes(name)) throw new LeftOut("It was begun by somebody else.");
      return Promise.resolve(() => Promise.resolve({ made: `run of ${this.begin(name)}` }));
    },
    checkSent: ({ name }) =>
      Promise.resolve(this.begun.includes(name) ? { done: { made: `run of ${name}` } } : { not: {} }),
    follow: () => Promise.resolve({ isDone: true, said: "" }),
  };

  begin(name: string): string {
    this.begun.push(name);
    return name;
  }
}

describe("Work on many things by a window that dies", () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "agent-operations-death-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Works until so many lines were written down, of which the last is cut where `isCut` says so; gives how many were. */
  async function round(
    place: string,
    id: string,
    world: World,
    { lines = Infinity, isCut = false } = {},
  ): Promise<{ readonly job: BulkJob; readonly lines: number }> {
    const records = new BulkRecords(place);
    const job = (await records.read(id)) ?? jobOf(id);
    let written = 0;
    let die: () => void = () => undefined;
    const death = new Promise<void>((resolve) => (die = resolve));
    const save = async (now: BulkJob, index: number): Promise<void> => {
      const item = now.items[index]!;
      if (written >= lines) return never;
      written += 1;
      if (written === lines && isCut)
        await appendFile(join(place, `${id}.journal`), `\n[${String(index)},{"na`);
      else await records.note(id, index, item);
      if (written < lines) return;
      die();
      return never;
    };
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const ports = { work: world.work, clock, hindrance: () => undefined, save };
    const { pace } = job;
    const options = { most: Infinity, pace, signal: new AbortController().signal };
    await Promise.race([bulkRound(job, ports, options), death]);
    return { job: (await records.read(id)) ?? job, lines: written };
  }

  function jobOf(id: string): BulkJob {
    const items = names.map((name): BulkItem => ({
      ...{ connectionId: "c", name, before: null, words: "", state: "waiting" },
    }));
    return {
      ...{ id, startedAt: 0, title: "Retry", doneWord: "repaired", change: { kind: "retry" }, items },
      ...{ pace: { atOnce: 2, everyMs: 0, mostFailures: 5 }, agreed: [], isTried: true },
    };
  }

  it("begins each once, whichever line of the journal was its last, whole or cut", async () => {
    const whole = new World();
    const id = randomUUID();
    await new BulkRecords(folder).add(jobOf(id));
    const { lines } = await round(folder, id, whole);
    equal(lines, 3 * names.length);
    for (let last = 1; last <= lines; last += 1)
      for (const isCut of [false, true]) {
        const [world, one] = [new World(), randomUUID()];
        const [dead, alive] = [join(folder, `${one}-dead`), join(folder, `${one}-alive`)];
        await new BulkRecords(dead).add(jobOf(one));
        await round(dead, one, world, { lines: last, isCut });
        await cp(dead, alive, { recursive: true });
        // A failed thing may halt a window: a person goes on until nothing is left to do.
        for (let again = 0; again < names.length; again += 1) await round(alive, one, world);
        const { job } = await round(alive, one, world);
        const when = `dead at line ${String(last)}${isCut ? ", cut" : ""}`;
        deepEqual(world.begun.toSorted(), names, when);
        deepEqual(
          job.items.map(({ state }) => state),
          names.map(() => "done"),
          when,
        );
      }
  });
});
