import { strict as assert } from "node:assert";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Http } from "../../../src/api/http.ts";
import { Turns } from "../../../src/api/turns.ts";

describe("A server that is held", () => {
  let server: Server;
  let baseUrl: string;
  let asked: number;
  /** What happens when a request arrives. */
  let arrived: () => void;
  /** What answers wait for. */
  let answering: Promise<unknown>;
  let hold: PromiseWithResolvers<undefined> | undefined;

  beforeEach(async () => {
    asked = 0;
    arrived = () => undefined;
    answering = Promise.resolve();
    hold = Promise.withResolvers<undefined>();
    server = createServer((_, answer) => {
      asked += 1;
      arrived();
      void answering.then(() => answer.end("{}"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const goOn = (): void => {
    hold?.resolve(undefined);
    hold = undefined;
  };
  const http = (timeoutMs: number, turns?: Turns): Http =>
    new Http({ baseUrl, timeoutMs, turns, heldUntil: () => hold?.promise });

  it("is asked when it goes on, and the wait takes neither a turn nor the call's time", async () => {
    const turns = new Turns({ most: 1 });
    const call = http(5, turns).reply({ method: "GET", path: "/", timeoutMs: 9_000 });
    (await turns.take("http://other"))();
    for (let others = 0; others < 5; others += 1)
      await new Http({ baseUrl }).reply({ method: "GET", path: "/" });
    assert.equal(asked, 5, "only those ask who know nothing of it");
    goOn();
    assert.equal((await call).status, 200);
    assert.equal(asked, 6);
  });

  it("is given more time where it came to be held while it was asked", async () => {
    goOn();
    const held = Promise.withResolvers<unknown>();
    answering = held.promise;
    arrived = () => (hold = Promise.withResolvers<undefined>());
    const looked = Promise.withResolvers<undefined>();
    const look = (): Promise<unknown> | undefined => {
      if (hold !== undefined) looked.resolve(undefined);
      return hold?.promise;
    };
    const call = new Http({ baseUrl, timeoutMs: 2_000, heldUntil: look }).reply({
      method: "POST",
      path: "/",
    });
    // It looks again when the time is up.
    await looked.promise;
    held.resolve(undefined);
    assert.equal((await call).status, 200);
  });

  it("is out of time as any other where it goes on and does not answer", async () => {
    goOn();
    answering = new Promise(() => undefined);
    await assert.rejects(http(50).reply({ method: "POST", path: "/" }), { kind: "timeout" });
  });

  it("is not asked where the call is given up before", async () => {
    const given = new AbortController();
    const call = http(9_000).reply({ method: "GET", path: "/", signal: given.signal });
    given.abort();
    await assert.rejects(call, { kind: "aborted" });
    assert.equal(asked, 0);
  });
});
