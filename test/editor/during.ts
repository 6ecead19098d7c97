/** Does something while the editor says other things than it would. */
export async function during(owner: object, said: object, work: () => Promise<void>): Promise<void> {
  const originals = Object.keys(said).map(
    (name) => [name, Object.getOwnPropertyDescriptor(owner, name)!] as const,
  );
  for (const [name, value] of Object.entries(said))
    Object.defineProperty(owner, name, { get: () => value as unknown, configurable: true, enumerable: true });
  try {
    await work();
  } finally {
    for (const [name, original] of originals) Object.defineProperty(owner, name, original);
  }
}
