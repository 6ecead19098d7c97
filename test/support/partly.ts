/** A part of a client with some of its methods in other hands. */
export function partly<Part extends object>(part: Part, instead: Partial<Part>): Part {
  return new Proxy(part, {
    get: (target, name) => {
      const own: unknown = Reflect.get(instead, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return typeof value === "function"
        ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
        : value;
    },
  });
}
