const perTurn = 16;

/**
 * Lets work that never waits for anything go on by turns: a few pieces in each turn of the event loop, in the order
 * in which they came, so that requests are answered in between however many runs are at work.
 */
export class Turns {
  #waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#serve());
    });
  }

  #serve(): void {
    const served = this.#waiting;
    this.#waiting = served.splice(perTurn);
    if (this.#waiting.length > 0) setImmediate(() => this.#serve());
    for (const resolve of served) resolve();
  }
}
