/** Why a delivery that was saved or pasted does not verify: which change to its body would explain the signature. */

import {
  headerProblem,
  problemWords,
  SIGNATURE_HEADERS,
  signatureProblem,
  type WebhookDialect,
} from "./signature.ts";

/** A delivery as a person has it: a body, and the headers if they were saved with it. */
export interface SavedDelivery {
  readonly body: Uint8Array;
  /** By lower-case name; absent when only the body was saved. */
  readonly headers?: ReadonlyMap<string, readonly string[]>;
}

/** Whether a delivery is valid, and what was found, in a sentence. */
export interface Diagnosis {
  readonly valid: boolean;
  /** One sentence. */
  readonly finding: string;
}

/**
 * Splits a saved request into headers and body: lines `Name: value`, perhaps after a line `POST /path HTTP/1.1`,
 * an empty line, and the body byte for byte. Anything else is a body.
 */
export function readSavedDelivery(bytes: Uint8Array): SavedDelivery {
  const text = Buffer.from(bytes).toString("latin1");
  const head = /^(?:POST [^\r\n]*\r?\n)?((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*\r?\n)+)\r?\n/.exec(text);
  if (head === null) return { body: bytes };
  const headers = new Map<string, string[]>();
  for (const line of (head[1] ?? "").trim().split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return { body: bytes.subarray(head[0].length), headers };
}

/** Verifies a saved delivery; when only a changed body would verify, says which change was made. */
export function diagnose(
  { body }: SavedDelivery,
  values: readonly string[],
  secret: string,
  dialect: WebhookDialect,
): Diagnosis {
  const header = SIGNATURE_HEADERS[dialect];
  const problem = signatureProblem(secret, body, values);
  if (problem === undefined)
    return { valid: true, finding: "The signature is that of exactly this body with this secret." };
  const repaired =
    headerProblem(values) === "upperCase" ? values.map((value) => value.toLowerCase()) : values;
  if (problem === "upperCase" && signatureProblem(secret, body, repaired) === undefined) {
    return { valid: false, finding: `${problemWords(problem, header)} In lower case it would be valid.` };
  }
  if (problem !== "mismatch") return { valid: false, finding: problemWords(problem, header) };
  const change = changes.find(
    ({ undo }) => signatureProblem(secret, undo(Buffer.from(body)), values) === undefined,
  );
  const finding =
    change === undefined
      ? problemWords(problem, header)
      : `The body was changed after it was signed: ${change.made}. The signature is that of the body as it was sent.`;
  return { valid: false, finding };
}

interface Change {
  /** What was done to the body that was signed. */
  readonly made: string;
  /** The body as it may have been before; the same bytes when the change does not apply. */
  readonly undo: (body: Buffer) => Uint8Array;
}

const changes: readonly Change[] = [
  {
    made: "a line break was added at its end",
    undo: (body) => Buffer.from(latin(body).replace(/\r?\n$/, ""), "latin1"),
  },
  {
    made: "a line break was removed from its end",
    undo: (body) => Buffer.from(`${latin(body)}\n`, "latin1"),
  },
  {
    made: "its line breaks were changed to CR LF",
    undo: (body) => Buffer.from(latin(body).replaceAll("\r\n", "\n"), "latin1"),
  },
  {
    made: "a byte order mark was added",
    undo: (body) => Buffer.from(latin(body).replace(/^\u00ef\u00bb\u00bf/, ""), "latin1"),
  },
  { made: "it was parsed and written again with other spaces", undo: (body) => rewritten(body) },
  { made: "it was parsed and written again without its spaces", undo: (body) => rewritten(body, 2) },
  { made: "it was parsed and written again by another program's rules", undo: (body) => spaced(body) },
];

function latin(body: Buffer): string {
  return body.toString("latin1");
}

/** JSON as this program writes it, or the same bytes when it is no JSON. */
function rewritten(body: Buffer, indent?: number): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, indent));
  } catch {
    return body;
  }
}

/** JSON as Python writes it: a space after each comma and colon, other characters escaped. */
function spaced(body: Buffer): Uint8Array {
  try {
    const text = JSON.stringify(JSON.parse(body.toString()), null, 1)
      // Line breaks stand between the parts only: in a string they are escaped.
      .replace(/([[{])\n\s*/g, "$1")
      .replace(/\n\s*([\]}])/g, "$1")
      .replace(/\n\s*/g, " ")
      .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return Buffer.from(text);
  } catch {
    return body;
  }
}
