/** Everything that a sequence yields, in order. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}
