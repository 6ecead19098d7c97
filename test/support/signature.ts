import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Whether a request to an object store is signed (AWS Signature Version 4) with this secret. */
export function isSigned({ method = "", url = "", headers }: IncomingMessage, secret: string): boolean {
  const [, scope = "", names = "", signature] =
    /Credential=[^/]+\/([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]+)/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [path = "", query = ""] = url.split("?", 2);
  const canonical = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    names,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return signature === hmac(key, text).toString("hex");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
