/** A window that dies at a chosen moment of its work: what it waits for then never comes. */

import type { AgentServer } from "../../src/api/agentServer/index.ts";
import { partly } from "./partly.ts";

/** A window that does nothing any more from a moment on. */
export class Death {
  isOver = false;
  readonly came: Promise<void>;
  readonly #moment: number;
  #count = 0;
  #come: () => void = () => undefined;

  constructor(moment: number) {
    this.#moment = moment;
    this.came = new Promise((come) => (this.#come = come));
  }

  /** A moment: from the one on that was chosen nothing goes on. */
  comes(): Promise<void> {
    this.#count += 1;
    if (this.#count < this.#moment) return Promise.resolve();
    this.isOver = true;
    this.#come();
    return new Promise(() => undefined);
  }

  /** The server as such a window sees it: each of its changes is a moment before and one after it. */
  server(api: AgentServer): AgentServer {
    const around = async <T>(request: () => Promise<T>): Promise<T> => {
      await this.comes();
      const answer = await request();
      await this.comes();
      return answer;
    };
    const { threads, runs } = api;
    return partly(api, {
      threads: partly(threads, {
        update: (...args) => around(() => threads.update(...args)),
        delete: (...args) => around(() => threads.delete(...args)),
      }),
      runs: partly(runs, {
        create: (...args) => around(() => runs.create(...args)),
        cancel: (...args) => around(() => runs.cancel(...args)),
      }),
    });
  }
}
