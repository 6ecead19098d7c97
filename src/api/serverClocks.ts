/** What servers' clocks say, from the dates of their answers: times that a server tells are compared with these. */

/** How far a server's clock is ahead of this machine's, in milliseconds: somewhere from `least` to `most`. */
export interface ClockBounds {
  readonly least: number;
  readonly most: number;
}

/** What one answer tells, by when its request left and when its head was here, in epoch milliseconds; a date has whole seconds. */
export function clockBounds(
  headers: Readonly<Record<string, string>>,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): ClockBounds | undefined {
  const at = Date.parse(headers["date"] ?? "");
  // A cached answer has an old date.
  if (Number.isNaN(at) || headers["age"] !== undefined) return undefined;
  return { least: at - receivedAt, most: at + 1000 - sentAt };
}

/** The clocks of all servers, by their origins. */
export class ServerClocks {
  readonly #known = new Map<string, ClockBounds & { readonly ahead: number }>();

  /** An answer of the server at this address told of its clock. */
  note(url: string, bounds: ClockBounds): void {
    const { origin } = new URL(url);
    const unknown = { least: -Infinity, most: Infinity, ahead: 0 };
    const known = this.#known.get(origin) ?? unknown;
    // Where the ranges do not overlap, one of the clocks was changed: the earlier bounds are dropped.
    const before = bounds.least <= known.most && known.least <= bounds.most ? known : unknown;
    const [least, most] = [Math.max(before.least, bounds.least), Math.min(before.most, bounds.most)];
    this.#known.set(origin, { least, most, ahead: Math.min(Math.max(before.ahead, least), most) });
  }

  /** How far the clock of the server at this address is ahead of this machine's: 0 as long as both may say the same. */
  ahead(url: string): number {
    return this.#known.get(new URL(url).origin)?.ahead ?? 0;
  }
}
