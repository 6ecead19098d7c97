/** Whether a stream that is silent for 330 seconds stays up, through the product's own dispatcher. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Http } from "../../src/api/http.ts";
import { createDispatcher } from "../../src/editor/network/dispatcher.ts";
import { report } from "./report.ts";

const silentSeconds = 330;

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("event: custom\ndata: 1\nid: 0\n\n");
  void delay(silentSeconds * 1000).then(() => response.end("event: custom\ndata: 2\nid: 1\n\n"));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const dispatcher = createDispatcher({ strictSSL: true, systemCertificates: false }, {});
const http = new Http({ baseUrl: `http://127.0.0.1:${port}`, dispatcher });
console.log(`\nA stream is silent for ${silentSeconds} s …`);
const start = Date.now();
const received: string[] = [];
let ended = "cleanly";
try {
  const { events } = await http.stream({ method: "GET", path: "/" });
  for await (const batch of events) received.push(...batch.map(({ id }) => id ?? ""));
} catch (error) {
  ended = String(error);
}
report("A silent stream", [
  {
    "silent s": silentSeconds,
    "events of 2": received.length,
    "after s": (Date.now() - start) / 1000,
    ended,
  },
]);
process.exitCode = received.length === 2 ? 0 : 1;
await dispatcher.close();
server.close();
