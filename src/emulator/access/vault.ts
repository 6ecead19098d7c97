import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What was sealed cannot be opened: another key, another purpose, or changed bytes. */
export class VaultError extends Error {
  override readonly name = "VaultError";

  constructor(purpose: string, cause: unknown) {
    super(`The secret of ${purpose} cannot be read with the key of this data directory.`, { cause });
  }
}

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const format = 1;

/**
 * Seals secrets before they are stored: AES-256-GCM under a key of the data directory that only its owner may
 * read. The key lies beside the database, not in it, so that a copy of the database alone gives nothing away.
 */
export class Vault {
  readonly #directory: string;
  #key: Buffer | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The secret as bytes to store. Only `open` with the same purpose, such as `destination <id>`, reads them. */
  seal(secret: string, purpose: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#readKey(), iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return Buffer.concat([Buffer.of(format), iv, cipher.getAuthTag(), sealed]);
  }

  /** The secret that was sealed for this purpose. Throws `VaultError`. */
  open(stored: Uint8Array, purpose: string): string {
    const bytes = Buffer.from(stored);
    try {
      if (bytes[0] !== format) throw new Error(`The format ${bytes[0] ?? "of nothing"} is unknown.`);
      const [ivEnd, tagEnd] = [1 + ivBytes, 1 + ivBytes + tagBytes];
      const decipher = createDecipheriv("aes-256-gcm", this.#readKey(), bytes.subarray(1, ivEnd), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(ivEnd, tagEnd));
      return decipher.update(bytes.subarray(tagEnd), undefined, "utf8") + decipher.final("utf8");
    } catch (error) {
      throw new VaultError(purpose, error);
    }
  }

  /** The key, made when it is first needed. */
  #readKey(): Buffer {
    if (this.#key !== undefined) return this.#key;
    const path = join(this.#directory, "vault.key");
    if (!existsSync(path)) writeKey(path);
    const key = readFileSync(path);
    if (key.length !== keyBytes) throw new Error(`The key file ${path} is damaged.`);
    this.#key = key;
    return key;
  }
}

/** Writes a new key so that at any moment the file is either absent or whole. */
function writeKey(path: string): void {
  const part = `${path}.${randomBytes(6).toString("hex")}`;
  const file = openSync(part, "wx", 0o600);
  try {
    writeSync(file, randomBytes(keyBytes));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}
