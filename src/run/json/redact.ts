/** Takes credentials out of text that is shown, searched or copied. */

const names = [
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "x-service-key",
  "api[-_]?key",
  "cookie",
  "set-cookie",
  "password",
  "secret",
  "client_secret",
  "signing_secret",
  "access_token",
  "refresh_token",
  "id_token",
  "auth_token",
  "token",
].join("|");

const suspicious = /authorization|api[-_]?key|service-key|cookie|password|secret|token"|token\\|bearer\s/i;
/** A field's name in JSON text, which may itself be quoted in a JSON string: `\"name\":`. */
const field = new RegExp(String.raw`(?<!\\)(\\*)"(${names})\1"\s*:\s*`, "gi");
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi;
const mask = "•••";

/** The text with the values of fields that hold credentials masked; the same text when there are none. */
export function redact(text: string): string {
  if (!suspicious.test(text)) return text;
  return maskFields(text).replace(bearer, `$1 ${mask}`);
}

function maskFields(text: string): string {
  let masked = "";
  let copied = 0;
  field.lastIndex = 0;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [found, escape = "", name = ""] = match;
    const start = match.index + found.length;
    const end = endOfValue(text, start, `${escape}"`);
    const value = text.slice(start, end);
    field.lastIndex = end;
    if (isHarmless(name, value)) continue;
    masked += `${text.slice(copied, start)}${escape}"${mask}${escape}"`;
    copied = end;
  }
  return masked + text.slice(copied);
}

/** Numbers count tokens, and graphs stream their own words under "token". */
function isHarmless(name: string, value: string): boolean {
  if (/^(null|true|false|-?\d+)$/.test(value)) return true;
  return name.toLowerCase() === "token" && (value.length < 18 || /\s/.test(value));
}

function endOfValue(text: string, start: number, quote: string): number {
  if (text.startsWith(quote, start)) return endOfString(text, start, quote);
  if (text[start] !== "{" && text[start] !== "[") {
    const end = text.slice(start).search(/[,}\]\s\\]/);
    return end < 0 ? text.length : start + end;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith(quote, at)) at = endOfString(text, at, quote) - 1;
    else if (text[at] === "{" || text[at] === "[") depth += 1;
    else if (text[at] === "}" || text[at] === "]") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** The index behind a string's closing quote, which is one that no further backslash escapes. */
function endOfString(text: string, start: number, quote: string): number {
  let at = start + quote.length;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) return text.length;
    let slashes = 0;
    while (close - slashes > at && text[close - slashes - 1] === "\\") slashes += 1;
    if (slashes % (2 * quote.length) === 0) return close + quote.length;
    at = close + quote.length;
  }
}
