import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** Takes over a WebSocket, from its first bytes on; false to have its request answered like any other. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Hands upgrades to WebSockets to `take`; any other upgrade is answered as a plain request. Returns a function that
 * ends all of them.
 */
export function listenForUpgrades(server: Server, take: TakeUpgrade): () => void {
  const open = new Set<Duplex>();
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const isWebSocket = request.headers.upgrade?.toLowerCase() === "websocket";
    if (isWebSocket && take(request, socket, head)) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      return;
    }
    // Read once more, without what made an upgrade of it.
    socket.unshift(Buffer.concat([headOf(request), head]));
    server.emit("connection", socket);
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}

/** What of a request stands before its body. */
function headOf({ method = "GET", url = "/", httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1 || /^(?:upgrade|connection)$/i.test(name)) return [];
    return [`${name}: ${rawHeaders[index + 1] ?? ""}`];
  });
  return Buffer.from([`${method} ${url} HTTP/${httpVersion}`, ...lines, "", ""].join("\r\n"), "latin1");
}
