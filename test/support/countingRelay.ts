/** Stands between a client and a server on this machine, and counts what goes over the wire. */

import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** The relay; disposing it ends its connections. */
export interface CountingRelay extends AsyncDisposable {
  readonly url: string;
  /** Bytes that the server sent since the last `reset`, with heads. */
  readonly received: number;
  reset(): void;
}

/** Relays to the server at `target`, an http address. */
export async function relayTo(target: string): Promise<CountingRelay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstream.on("data", ({ length }) => (received += length));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    get received() {
      return received;
    },
    reset: () => (received = 0),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
