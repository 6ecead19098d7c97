/** Times in which no window listened. */

/** One of them, until a person has read of it. */
export interface ListeningGap {
  /** Stable: `gap:…`. */
  readonly id: string;
  /** ISO. */
  readonly from: string;
  readonly to: string;
  readonly unread: true;
}

/** "Not listening between 10:02 and 10:09", with seconds or the day where it takes them, as people here write times. */
export function gapWords(gap: Pick<ListeningGap, "from" | "to">, now: Date): string {
  const [from, to] = [new Date(gap.from), new Date(gap.to)];
  const short = to.getTime() - from.getTime() < 120_000;
  const today = from.toDateString() === now.toDateString();
  const format = new Intl.DateTimeFormat(undefined, {
    ...(today ? {} : { month: "short", day: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    ...(short ? { second: "2-digit" } : {}),
  });
  return `Not listening between ${format.format(from)} and ${format.format(to)}`;
}
