/** Signatures of webhook deliveries (docs/interface.md, "Webhook signature rules"): HMAC-SHA256 over the exact bytes of the body. */

import { createHmac, timingSafeEqual } from "node:crypto";

/** The header that carries the signature, by dialect. */
export const SIGNATURE_HEADERS = {
  standard: "X-Service-Signature",
  langsmith: "X-LangSmith-Signature",
} as const;

/** Whose header carries the signature. */
export type WebhookDialect = keyof typeof SIGNATURE_HEADERS;

/** Why a signature is not valid. */
export type SignatureProblem = "missing" | "repeated" | "prefix" | "upperCase" | "digits" | "mismatch";

/** The header's value for these bytes: `sha256=` and 64 lower-case digits. */
export function sign(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * What is wrong with a delivery's signature; undefined when it is valid. To be asked before the body is parsed.
 * `values` are all headers of the name. The comparison takes the same time wherever the digits differ.
 */
export function signatureProblem(
  secret: string,
  body: Uint8Array,
  values: readonly string[] | undefined,
): SignatureProblem | undefined {
  const problem = headerProblem(values);
  if (problem !== undefined) return problem;
  const given = Buffer.from(values?.[0] ?? "");
  const expected = Buffer.from(sign(secret, body));
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : "mismatch";
}

/** What is wrong with the header by itself, whatever the body is. */
export function headerProblem(values: readonly string[] | undefined): SignatureProblem | undefined {
  const [value, ...others] = values ?? [];
  if (value === undefined || value === "") return "missing";
  if (others.length > 0) return "repeated";
  if (!value.startsWith("sha256=")) return "prefix";
  const digits = value.slice("sha256=".length);
  if (/^[0-9a-f]{64}$/.test(digits)) return undefined;
  return /^[0-9a-f]{64}$/i.test(digits) ? "upperCase" : "digits";
}

/** A problem in one sentence that says what to check. */
export function problemWords(problem: SignatureProblem, header: string): string {
  const words: Readonly<Record<SignatureProblem, string>> = {
    missing: `The delivery has no ${header} header: it is not signed, or a proxy on the way removed the header.`,
    repeated: `The delivery has more than one ${header} header.`,
    prefix: `The ${header} header does not begin with "sha256=".`,
    upperCase: `The ${header} header has upper-case digits; the digest is written in lower case.`,
    digits: `The ${header} header does not hold 64 hexadecimal digits: it was cut off or is something else.`,
    mismatch:
      "The signature is not that of this body with this secret: the secret was rolled, or the body was changed on its way.",
  };
  return words[problem];
}
