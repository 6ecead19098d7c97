/** Work on many deployments: a platform on which it is done, and rounds of it. */

import { type BulkItem, type BulkJob, agreementOn } from "../../../../src/editor/bulk/bulkJob.ts";
import { type BulkPorts, LeftOut } from "../../../../src/editor/bulk/bulkRound.ts";

/** A deployment to be changed. */
export interface Item extends BulkItem {
  readonly deploymentId: string;
}

type Job = BulkJob<Item>;

/** Where all of them are, unless a test says otherwise. */
export const connection = { id: "c", name: "Production", kind: "platform", url: "https://p.test" } as const;

/** Deployments on a platform that makes a revision with each request, and what is written down of them. */
export class Platform {
  /** The latest revision of each deployment. */
  readonly latest = new Map<string, string>();
  /** Which deployments were changed, in this order. */
  readonly sent: string[] = [];
  /** What was written down each time, as states of all deployments. */
  readonly written: string[] = [];
  readonly followed: string[] = [];
  mostAtOnce = 0;
  #onTheirWay = 0;
  #now = 0;
  /** What tests put in the place of some of it. */
  doing = {
    get: ({ deploymentId }: Item): Promise<string | null> =>
      Promise.resolve(this.latest.get(deploymentId) ?? null),
    send: (item: Item): Promise<string> => this.send(item),
    follow: async ({ made = "" }: Item): Promise<{ readonly isDone: boolean; readonly said: string }> => {
      this.followed.push(made);
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#onTheirWay);
      await new Promise(setImmediate);
      this.#onTheirWay -= 1;
      return { isDone: true, said: "" };
    },
  };
  readonly slept: number[] = [];
  ports: BulkPorts<Item> = {
    clock: {
      now: () => this.#now,
      sleep: (ms) => {
        this.slept.push(ms);
        this.#now += ms;
        return Promise.resolve();
      },
    },
    hindrance: () => undefined,
    work: {
      prepare: async (item) => {
        if ((await this.doing.get(item)) !== item.before) throw new LeftOut("Another revision was made.");
        return async () => ({ made: await this.doing.send(item) });
      },
      checkSent: async (item) => {
        const latest = await this.doing.get(item);
        return latest === null || latest === item.before ? { not: {} } : { done: { made: latest } };
      },
      follow: (item) => this.doing.follow(item),
    },
    save: (job) => {
      this.written.push(states(job));
      return Promise.resolve();
    },
  };

  send({ deploymentId }: Item): Promise<string> {
    this.sent.push(deploymentId);
    const made = `${deploymentId}-${String(this.sent.length)}`;
    this.latest.set(deploymentId, made);
    return Promise.resolve(made);
  }

  job(count: number, connectionOf: (index: number) => string = () => "c"): Job {
    const items = Array.from({ length: count }, (_, index): Item => {
      const deploymentId = `d${String(index)}`;
      this.latest.set(deploymentId, "old");
      const connectionId = connectionOf(index);
      return { connectionId, deploymentId, name: deploymentId, before: "old", words: "", state: "waiting" };
    });
    const agreed = [agreementOn(connection)];
    const texts = { id: "j", title: "Redeploy", doneWord: "deployed" };
    return {
      ...texts,
      startedAt: 0,
      change: { kind: "redeploy" },
      pace: all.pace,
      agreed,
      items,
      isTried: false,
    };
  }
}

/** All at once, two at a time. */
export const all = {
  most: Infinity,
  pace: { atOnce: 2, everyMs: 0, mostFailures: 1 },
  signal: new AbortController().signal,
};
/** One after the other. */
export const alone = { ...all, pace: { ...all.pace, atOnce: 1 } };

/** How each stands. */
export function states({ items }: Pick<BulkJob, "items">): string {
  return items.map(({ state }) => state).join(" ");
}
