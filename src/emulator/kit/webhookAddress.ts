import { lookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** A delivery may not go to this address. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
}

/** Hosts that answer with a machine's own credentials; refused by name too, for when they do not resolve here. */
const metadataHosts = new Set(["metadata", "metadata.google.internal", "instance-data"]);

/**
 * Never reached: link-local, with the metadata services of the clouds, unspecified, multicast and broadcast, tests of
 * networks, documentation, and tunnels whose end can't be told.
 */
const forbidden = blockList([
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  ["::", 128],
  ["fe80::", 10],
  ["fd00:ec2::", 32],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["ff00::", 8],
]);

/** Reached only when `allowPrivate` is set; loopback is not among them, because this platform runs there. */
const privateRanges = blockList([
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["fc00::", 7],
  ["fec0::", 10],
]);

/** Which addresses deliveries may go to. */
export interface AddressRules {
  readonly allowPrivate: boolean;
}

/**
 * Checks a subscriber's URL by itself: its scheme, and its host where that is an address. Throws
 * `ForbiddenAddressError`. Unlike the hosted service, loopback addresses are allowed.
 */
export function checkUrl(text: string, rules: AddressRules): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ForbiddenAddressError("The URL must begin with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ForbiddenAddressError("The URL must not hold a user name or a password: use a header.");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (metadataHosts.has(host.toLowerCase())) throw new ForbiddenAddressError(refusal(host));
  if (isIP(host) !== 0) checkAddress(host, rules);
  return url;
}

/** Checks a subscriber's URL and what its host name resolves to. A name unknown for now is left to the delivery. */
export async function checkSubscriber(text: string, rules: AddressRules): Promise<void> {
  const { hostname } = checkUrl(text, rules);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return;
  for (const { address } of await resolve(hostname)) checkAddress(address, rules);
}

/** Resolves host names for connections, so that exactly the address that was checked is the one that is used. */
export function checkedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const refused = error ?? refusedAmong(found, rules);
      if (refused !== undefined) callback(refused, []);
      else if (options.all === true) callback(null, found);
      else callback(null, found[0]?.address ?? "", found[0]?.family);
    });
  };
}

function refusedAmong(found: readonly LookupAddress[], rules: AddressRules): Error | undefined {
  try {
    for (const { address } of found) checkAddress(address, rules);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkAddress(address: string, rules: AddressRules): void {
  const { allowPrivate } = rules;
  const within = isIP(address) === 6 ? embedded(address) : undefined;
  if (within !== undefined) checkAddress(within, rules);
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (forbidden.check(address, family)) throw new ForbiddenAddressError(refusal(address));
  if (!allowPrivate && privateRanges.check(address, family)) {
    throw new ForbiddenAddressError(
      `Deliveries to the private address ${address} are refused, as on the hosted service; only loopback is allowed.`,
    );
  }
}

/** The IPv4 address that an IPv6 address leads to: mapped, compatible, by NAT64, 6to4 or ISATAP. */
function embedded(address: string): string | undefined {
  const groups = groupsOf(address);
  const [a = 0, b = 0, c = 0] = groups;
  const zeros = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const ipv4 = (at: number) =>
    groups
      .slice(at, at + 2)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  if (a === 0x2002) return ipv4(1);
  const isMapped = zeros(0, 5) && groups[5] === 0xffff;
  const isTranslated = zeros(0, 4) && groups[4] === 0xffff && groups[5] === 0;
  const isCompatible = zeros(0, 6) && groups[6] !== 0;
  const isNat64 = a === 0x64 && b === 0xff9b && c === 0 && zeros(3, 6);
  const isIsatap = (groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe;
  return isMapped || isTranslated || isCompatible || isNat64 || isIsatap ? ipv4(6) : undefined;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const plain = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = "", tail] = plain.split("::");
  const numbers = (text: string) =>
    text.split(":").flatMap((part) => (part === "" ? [] : [parseInt(part, 16)]));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function refusal(host: string): string {
  return `Deliveries to ${host} are refused: it is a metadata, link-local or otherwise reserved address.`;
}

async function resolve(hostname: string): Promise<LookupAddress[]> {
  return await new Promise((done) => {
    lookup(hostname, { all: true }, (error, found) => done(error === null ? found : []));
  });
}

function blockList(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) {
    list.addSubnet(address, prefix, address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
