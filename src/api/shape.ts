/** The least that an answer must be for the rest of the program to rely on it. */

/** An object that holds a text under `key`. */
export function hasText(key: string): (value: unknown) => boolean {
  return (value) => isObject(value) && typeof value[key] === "string";
}

/** The value that a text is as JSON; undefined for one that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An array of objects. */
export function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

/** An object that is no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
