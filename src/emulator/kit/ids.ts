import { createHash, randomBytes } from "node:crypto";

let lastTime = 0;
let counter = 0;
let pool = Buffer.alloc(0);

/** A UUID version 7, strictly increasing within this process, so that ids sort by creation. */
export function uuid7(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastTime += 1;
    counter = 0;
  }
  const time = lastTime.toString(16).padStart(12, "0");
  const random = eightRandomBytes();
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
  const tail = random.toString("hex");
  const high = `${time.slice(0, 8)}-${time.slice(8)}`;
  return `${high}-7${counter.toString(16).padStart(3, "0")}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

/** The UUID version 5 of a name in a namespace UUID. */
export function uuid5(namespace: string, name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex", 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Whether the text has the form of a UUID, of any version and letter case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** Asks the system for randomness in larger portions: ids are made by the thousand. */
function eightRandomBytes(): Buffer {
  if (pool.length < 8) pool = randomBytes(4096);
  const bytes = pool.subarray(0, 8);
  pool = pool.subarray(8);
  return bytes;
}
