/** Feedback on runs: where it may be sent, for agents name the URL and a click posts there; and what was sent. */

import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { Feedback } from "../../../run/panel/transcript.ts";
import type { SentFeedback } from "../../../run/session/server.ts";
import { KeptList, type Memory } from "../../kit/keptList.ts";
import { NotPossibleError } from "../../kit/remedies.ts";

const mostSent = 500;

/** What is known of the server that named the URL, and who is asked about any other address. */
export interface FeedbackSource {
  /** Where the server of the run is; undefined when that is not known. */
  readonly serverUrl: string | undefined;
  /** Whether a person typed or confirmed the URL's origin for the connection. */
  readonly isKnown: (url: string) => Promise<boolean>;
  /** Whether a person lets feedback go to the origin. */
  readonly ask: (origin: string) => Promise<boolean>;
  readonly addressesOf?: (hostname: string) => Promise<readonly string[]>;
}

/**
 * Resolves when feedback may go to the URL: the server's own address, or one that a person typed or confirmed. No server
 * from elsewhere may name an address in this machine or its network. Throws NotPossibleError.
 */
export async function checkFeedbackAddress(url: string, source: FeedbackSource): Promise<void> {
  const { serverUrl, isKnown, ask, addressesOf = resolved } = source;
  const address = URL.parse(url);
  // What is no usable URL at all, the client says.
  if (address === null || !/^https?:$/.test(address.protocol)) return;
  if (address.origin === URL.parse(serverUrl ?? "")?.origin || (await isKnown(url))) return;
  const server = URL.parse(serverUrl ?? "")?.hostname;
  const serverIsNear = server !== undefined && (await isNear(server, addressesOf));
  if (!serverIsNear && (await isNear(address.hostname, addressesOf))) {
    throw new NotPossibleError(
      `The server wants feedback at ${address.origin}, which is on this machine or in its network.`,
      "Nothing was sent. If that is right, add this address to the connection.",
    );
  }
  if (await ask(address.origin)) return;
  throw new NotPossibleError(
    `No feedback was sent to ${address.origin}.`,
    "Send it again to be asked again.",
  );
}

/** This machine, private networks, link-local addresses, and what leads to any of them. */
const near = new BlockList();
for (const [subnet, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  near.addSubnet(subnet, prefix, "ipv4");
}
for (const [subnet, prefix] of [
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
] as const) {
  near.addSubnet(subnet, prefix, "ipv6");
}

async function isNear(
  hostname: string,
  addressesOf: NonNullable<FeedbackSource["addressesOf"]>,
): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  return addresses.some((address) => near.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"));
}

/** A name that only a proxy knows is in none of our networks. */
async function resolved(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** What was sent, the newest 500: a transcript that is built anew does not ask for it again. */
export function sentFeedback(memory: Memory): SentFeedback {
  const keyOf = ([key]: readonly [string, Feedback]): string => key;
  const sent = new KeptList(memory, "feedback.sent", keyOf, mostSent);
  return {
    get: (runId, key) => sent.get(`${runId} ${key}`)?.[1],
    set: (runId, key, feedback) => void sent.keep([`${runId} ${key}`, feedback]),
  };
}
