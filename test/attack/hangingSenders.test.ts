import { equal } from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { sign } from "../../src/api/issueWebhooks/signature.ts";
import {
  IssueReceiver,
  type ReceiverHost,
  type SenderDeadlines,
} from "../../src/editor/issues/issueReceiver.ts";
import { startServer } from "../../src/emulator/server.ts";
import { LocalPlatform, temporaryDirectory } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";

const hanging = 2_000;
const atOnce = 100;
/** Shorter than the usual ones, so that no test waits long for them. */
const soon = { headersTimeout: 2_000, requestTimeout: 3_000, connectionsCheckingInterval: 200 };
const secret = "whsec_test";
const body = Buffer.from(JSON.stringify(sampleEvent("issue.created", 1)));

/** How much of a delivery a sender sends before it says no more. */
const beginnings = {
  "nothing at all": "",
  "half of the headers": "POST /webhooks/a HTTP/1.1\r\nhost: a\r\nx-filling: ",
  "half of the body":
    "POST /webhooks/a HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n" +
    `x-service-signature: ${sign(secret, body)}\r\n\r\n{`,
  "a body for nobody": "POST /webhooks/nobody HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{",
};

describe("2,000 senders that begin and never go on", () => {
  let sockets: Socket[];

  beforeEach(() => (sockets = []));
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  const hang = async (port: number, beginning: string, senders = hanging): Promise<void> => {
    // No more at once than a system holds ready for a listener.
    for (let begun = 0; begun < senders; begun += atOnce) {
      const connected = Array.from({ length: atOnce }, async () => {
        const socket = connect(port, "127.0.0.1").on("error", () => undefined);
        sockets.push(socket.resume());
        await once(socket, "connect").catch(() => undefined);
        if (!socket.destroyed) socket.write(beginning);
      });
      await Promise.all(connected);
    }
  };
  const open = (): number => sockets.filter(({ closed }) => !closed).length;

  describe("at the receiver of issue webhooks", () => {
    let receiver: IssueReceiver;
    let accepted: number;

    const listen = async (...deadlines: readonly SenderDeadlines[]): Promise<void> => {
      accepted = 0;
      const host: ReceiverHost = {
        verifier: (id) => Promise.resolve(id === "a" ? { secret, dialect: "standard" } : undefined),
        accept: () => Promise.resolve(void (accepted += 1)),
        refused: () => undefined,
        failed: () => undefined,
      };
      receiver = await IssueReceiver.listen(0, host, ...deadlines);
    };
    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      await receiver.close();
    });

    const deliver = async (): Promise<number> => {
      const headers = { "x-service-signature": sign(secret, body) };
      const url = `http://127.0.0.1:${String(receiver.port)}/webhooks/a`;
      return (await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(4_000) })).status;
    };

    for (const [what, beginning] of Object.entries(beginnings)) {
      it(`after ${what} keep no signed delivery out, and make room before their time is up`, async () => {
        await listen();
        await hang(receiver.port, beginning);
        for (let times = 0; times < 5; times += 1) equal(await deliver(), 204);
        equal(accepted, 5);
        await until("few are waited for", () => open() <= 600, 3_000);
      });

      it(`after ${what} are let go when their time is up`, async () => {
        await listen(soon);
        await hang(receiver.port, beginning, atOnce);
        await until("all were let go", () => open() === 0, 8_000);
      });
    }
  });

  describe("at the Local Platform", () => {
    let platform: LocalPlatform;

    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      await platform.remove();
    });

    const port = (): number => Number(new URL(platform.ready.baseUrl).port);

    it("keep nobody out, and make room before their time is up", async () => {
      platform = await LocalPlatform.start();
      await hang(port(), beginnings["half of the headers"]);
      equal((await platform.send("GET", "/info")).status, 200);
      await until("few are waited for", () => open() <= 1_100, 3_000);
    });

    it("are let go when their time is up", async () => {
      const directory = await temporaryDirectory();
      const { headersTimeout } = soon;
      const server = await startServer({ port: 0, directory, apiKey: "test-key", headersTimeout });
      platform = new LocalPlatform(server.ready, directory, server);
      await hang(port(), beginnings["half of the headers"], atOnce);
      await until("all were let go", () => open() === 0, 8_000);
    });
  });
});
