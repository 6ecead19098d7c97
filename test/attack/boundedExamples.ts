/** Work that takes too much, for the tests of the bounds themselves. */

export function busy(ms: number): string {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return "done";
}

export function hoard(): number {
  const kept: Uint8Array[] = [];
  while (kept.length < 100) kept.push(new Uint8Array(16 * 2 ** 20).fill(1));
  return kept.length;
}

export function thrower(): never {
  throw new Error("to be thrown");
}
