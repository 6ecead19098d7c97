import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { rm } from "node:fs/promises";
import { sendWhenDone } from "../../../../src/emulator/routes/agentServer/runResult.ts";
import { RunLogs } from "../../../../src/emulator/runtime/runLogs.ts";
import { sendEvents } from "../../../../src/emulator/http/sse.ts";
import { Store } from "../../../../src/emulator/store/store.ts";
import { temporaryDirectory } from "../../../support/localPlatform.ts";

describe("a silent connection to the Local Platform", () => {
  let directory: string;
  let store: Store;

  before(async () => {
    directory = await temporaryDirectory();
    store = new Store(directory);
  });
  after(async () => {
    store.close();
    await rm(directory, { recursive: true, force: true });
  });

  it("is kept alive by comments while a stream has nothing to say", async () => {
    const log = new RunLogs(store).start(crypto.randomUUID(), false);
    const body = await answer(
      (response) => {
        sendEvents(response, {}, log.read(-1), { heartbeatMs: 20 });
        log.append("custom", "1");
      },
      (text) => {
        if (!/(: heartbeat\n\n){2}$/.test(text)) return;
        log.append("custom", "2");
        log.end();
      },
    );
    const [first, silence, last] = body.split(/(?<=data: 1\n\n)|(?=id: 1\n)/);
    assert.equal(first, "id: 0\nevent: custom\ndata: 1\n\n");
    assert.match(silence ?? "", /^(: heartbeat\n\n){2,}$/);
    assert.equal(last, "id: 1\nevent: custom\ndata: 2\n\n");
  });

  it("is kept alive by newlines while a run is waited for", async () => {
    const outcome = { status: "success", values: { a: 1 }, interrupts: [], error: null } as const;
    const done = Promise.withResolvers<typeof outcome>();
    const body = await answer(
      (response) => sendWhenDone(response, {}, done.promise, () => undefined, 20),
      (text) => {
        if (text.startsWith("\n\n")) done.resolve(outcome);
      },
    );
    assert.match(body, /^\n{2,}\{"a":1\}$/);
  });
});

/** What one request gets from a server that answers like this; `heard` is told all that has come so far. */
async function answer(
  respond: (response: ServerResponse) => void,
  heard: (text: string) => void,
): Promise<string> {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`);
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) heard((text += chunk));
    return text;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
