/** The value under a name that somebody else chose: “constructor” is a name, too, and no member that every object has. */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}
