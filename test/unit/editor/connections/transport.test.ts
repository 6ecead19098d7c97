import { deepEqual } from "node:assert/strict";
import { getGlobalDispatcher } from "undici";
import { serve } from "../../../support/testServer.ts";
import "../fakeVscode.ts";

const { Transport } = await import("../../../../src/editor/connections/transport.ts");

describe("The requests of all connections", () => {
  it("are six on their way at once, whichever servers they go to", async () => {
    let [open, most] = [0, 0];
    const answer = () => (response: { end(text: string): unknown }) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open -= 1;
        response.end("{}");
      }, 20);
    };
    await using one = await serve(answer);
    await using two = await serve(answer);
    await using three = await serve(answer);
    const connections = { get: () => undefined, resolve: (id: string) => ({ id, url: one.url }) };
    const transport = new Transport(
      connections as never,
      { onDidChange: () => ({ dispose: () => undefined }), allows: () => Promise.resolve(false) } as never,
      { dispatcher: () => Promise.resolve(getGlobalDispatcher()) } as never,
      {} as never,
    );
    const ask = async (connectionId: string, url: string) =>
      (await transport.http(connectionId, url)).json({ method: "GET", path: "/x" });
    const servers = [one, two, three];
    await Promise.all(servers.flatMap(({ url }) => Array.from({ length: 5 }, () => ask(url, url))));
    deepEqual([most, ...servers.map(({ asked }) => asked.length)], [6, 5, 5, 5]);
    transport.dispose();
  });
});
