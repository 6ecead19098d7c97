/**
 * The Local Platform's key as it is written down for the other windows: sealed under a key in a file of its own, so that
 * no one file that is copied, indexed or sent somewhere gives it away. Both are for this user alone.
 */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { madeWhole } from "../kit/privateFolder.ts";

const algorithm = "aes-256-gcm";
const [keyBytes, ivBytes, tagBytes] = [32, 12, 16];

/** The text as it may be written down in this directory. */
export async function sealed(directory: string, text: string): Promise<string> {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, await sealingKey(directory), iv);
  const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString("base64url");
}

/** What was sealed here; undefined for anything else. */
export async function opened(directory: string, text: string): Promise<string | undefined> {
  const bytes = Buffer.from(text, "base64url");
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  try {
    const decipher = createDecipheriv(algorithm, await sealingKey(directory), iv, {
      authTagLength: tagBytes,
    }).setAuthTag(tag);
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

/** Made when it is first needed; a file that is damaged is replaced, and what was sealed with it is lost. */
async function sealingKey(directory: string): Promise<Buffer> {
  const path = join(directory, "running.key");
  const known = await readFile(path).catch(() => undefined);
  if (known?.length === keyBytes) return known;
  if (known !== undefined) await rm(path, { force: true });
  // Where another window made one meanwhile, that one holds.
  await madeWhole(path, randomBytes(keyBytes));
  return readFile(path);
}
