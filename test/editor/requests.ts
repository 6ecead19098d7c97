import type { Exchange } from "../../src/api/http.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** What the extension asks because of something, which is nothing when it took no notice. */
export async function requestsAfter(extension: Extension, cause: () => void): Promise<readonly string[]> {
  // What left a moment ago is not because of it.
  await probeAll(extension);
  const requests = watchRequests(extension, ({ url }) => !url.endsWith(probe));
  cause();
  // Requests of the same kind that leave later: when these are answered, so is whatever was asked before.
  for (let times = 0; times < 2; times += 1) await probeAll(extension);
  return requests.stop();
}

const probe = "/ok";

async function probeAll({ connections, transport }: Extension): Promise<void> {
  for (const { id, url } of connections.list()) {
    if (url === undefined) continue;
    const http = await transport.http(id, url);
    await http.reply({ method: "GET", path: probe }).catch(() => undefined);
  }
}

/** What the extension asks from now on, as far as it matters: the addresses, in order. */
export function watchRequests(
  { transport }: Pick<Extension, "transport">,
  matters: (exchange: Exchange) => boolean = () => true,
): { readonly urls: readonly string[]; stop(): readonly string[] } {
  const urls: string[] = [];
  const began = performance.now();
  const listening = transport.onExchange((exchange) => {
    // One that was on its way before is told of now, too.
    const asked = performance.now() - exchange.ms;
    if (asked >= began && matters(exchange)) urls.push(exchange.url);
  });
  return {
    urls,
    stop: () => {
      listening.dispose();
      return urls;
    },
  };
}
