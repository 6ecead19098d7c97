/** A whole answer as text and as JSON, within bounds: what a server sends must not take the machine's memory. */

import { ApiError, type ApiErrorFacts } from "./errors.ts";
import type { Answer } from "./exchange.ts";

/** The most values that JSON may hold; what is shorter than `fewCharacters` can't hold much more. */
const mostValues = 4_000_000;
const fewCharacters = 8_000_000;
const [comma, brace, bracket] = [0x2c, 0x7b, 0x5b];

/** The text of a whole body; throws an ApiError "answerTooLarge", which ends the request, once it is longer. */
export async function wholeOf(
  { body, url, status, headers }: Answer,
  method: string,
  mostMb: number,
): Promise<string> {
  const most = mostMb * 1024 * 1024;
  const chunks: Uint8Array[] = [];
  let size = Number(headers["content-length"] ?? 0);
  if (!(size > most)) {
    size = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) break;
    }
  }
  if (!(size > most)) return new TextDecoder().decode(Buffer.concat(chunks));
  body.on("error", () => undefined).destroy();
  const detail = `the answer is longer than ${mostMb} MB`;
  throw new ApiError("answerTooLarge", { method, url: url.href, status, detail });
}

/** The value that the text says in JSON; undefined for an empty one. Throws an ApiError. */
export function parseJson(text: string, facts: Pick<ApiErrorFacts, "method" | "url" | "status">): unknown {
  if (text.trim() === "") return undefined;
  if (text.length > fewCharacters && hasTooMany(text)) {
    throw new ApiError("answerTooLarge", { ...facts, detail: `it has more than ${mostValues} values` });
  }
  try {
    return JSON.parse(text);
  } catch {
    const page = text.trimStart().startsWith("<");
    const detail = page ? "answered with an HTML page" : "answered with text";
    throw new ApiError("notJson", { ...facts, detail });
  }
}

/** Three bytes of text, such as `{},`, may become sixty of memory. Marks within texts are counted, too. */
function hasTooMany(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= mostValues; at += 1) {
    const code = text.charCodeAt(at);
    if (code === comma || code === brace || code === bracket) count += 1;
  }
  return count > mostValues;
}
