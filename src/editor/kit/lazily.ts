/** Uses a client that is made anew for each call: address, key and proxy may have changed since the last one. */

type AsyncMethods<Part> = {
  readonly [
    Name in keyof Part as Part[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
  ]: Part[Name];
};

/** Parts of a client, with those of their methods that answer with a promise. */
export type Lazy<Client, Name extends keyof Client> = {
  readonly [Part in Name]: AsyncMethods<Client[Part]>;
};

/** The named parts of whatever `client` gives by the time a method is called. */
export function lazily<Client extends object, Name extends keyof Client & string>(
  client: () => Promise<Client>,
  ...names: readonly Name[]
): Lazy<Client, Name> {
  const parts = names.map((name) => {
    const call = async (method: string | symbol, args: readonly unknown[]): Promise<unknown> => {
      const part = (await client())[name] as Readonly<Record<string | symbol, unknown>>;
      return Reflect.apply(part[method] as (...args: unknown[]) => Promise<unknown>, part, args);
    };
    const get =
      (_: object, method: string | symbol) =>
      (...args: readonly unknown[]) =>
        call(method, args);
    return [name, new Proxy({}, { get })] as const;
  });
  return Object.fromEntries(parts) as Lazy<Client, Name>;
}
