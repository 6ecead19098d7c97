import type { Exchange } from "../../src/api/http.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** What the extension asks from now on, as far as it matters: the addresses, in order. */
export function watchRequests(
  { transport }: Pick<Extension, "transport">,
  matters: (exchange: Exchange) => boolean = () => true,
): { readonly urls: readonly string[]; stop(): readonly string[] } {
  const urls: string[] = [];
  const began = performance.now();
  const listening = transport.onExchange((exchange) => {
    // One that was on its way before is told of now, too; times are told in whole milliseconds.
    const asked = performance.now() - exchange.ms;
    if (asked > began - 1 && matters(exchange)) urls.push(exchange.url);
  });
  return {
    urls,
    stop: () => {
      listening.dispose();
      return urls;
    },
  };
}
