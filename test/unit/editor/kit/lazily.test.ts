import { deepEqual, equal, rejects } from "node:assert/strict";
import { lazily } from "../../../../src/editor/kit/lazily.ts";

class Things {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async get(id: string, options?: object): Promise<unknown> {
    await Promise.resolve();
    return [this.#address, id, options];
  }
}

describe("A client that is made anew for each call", () => {
  it("is that of the moment in which a method is called", async () => {
    let address = "first";
    let made = 0;
    const client = lazily(() => Promise.resolve({ things: new Things(address), at: ++made }), "things");
    const { things } = client;
    equal(made, 0);
    deepEqual(await things.get("a", { now: true }), ["first", "a", { now: true }]);
    address = "second";
    deepEqual(await things.get("b"), ["second", "b", undefined]);
    equal(made, 2);
    deepEqual(Object.keys(client), ["things"]);
  });

  it("rejects where there is none", async () => {
    const none = (): Promise<{ things: Things }> => Promise.reject(new Error("no such server"));
    await rejects(lazily(none, "things").things.get("a"), /no such server/);
  });
});
