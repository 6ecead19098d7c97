/** How many of something there are, for people. */

/** "1 row", "1,204 rows". The first call costs some 8 ms: not one for the extension's activation. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
