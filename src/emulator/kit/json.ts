/** A JSON object whose members are looked at before they are used. */
export type JsonObject = Record<string, unknown>;

/** Whether the value is a JSON object, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object a stored JSON text holds; `{}` for null. */
export function parseObject(text: unknown): JsonObject {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : {};
  return isObject(value) ? value : {};
}

/**
 * Whether `value` contains `part`: objects by their members, arrays when each wanted element is contained in
 * some element, everything else by equality. This is how searches match metadata and values.
 */
export function contains(value: unknown, part: unknown): boolean {
  if (isObject(part)) {
    return isObject(value) && Object.entries(part).every(([key, wanted]) => contains(value[key], wanted));
  }
  if (Array.isArray(part)) {
    return Array.isArray(value) && part.every((wanted) => value.some((element) => contains(element, wanted)));
  }
  return value === part;
}

/** Whether a JSON value nests arrays and objects more than `limit` levels deep; never recurses. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item)) {
        if (typeof child === "object" && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
