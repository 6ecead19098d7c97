/** Takes credentials out of text that is shown, searched or copied. */

/** A text without any of these holds no credential that is known by its name or its form. */
const suspicious = /key|token|secret|pass|pwd|authoriz|cookie|bearer|basic|jwt|sk-|gh[a-z]_|xox|eyJ|AIza/i;
/** A field's name in JSON text, which may itself be quoted in a JSON string: `\"name\":`. */
const field = /(?<!\\)(\\*)"([\w.-]{2,80})\1"\s*:\s*/g;
/** A list's way to give a field: `{"name": "API_KEY", "value": …}`. */
const pair = /^(\\*)"([\w.-]{2,80})\1"\s*,\s*\1"value\1"\s*:\s*/;
const longestPair = 200;
/** As shells and settings files give it: `API_KEY=…`. */
const assignment = /\b([A-Z][A-Z0-9_]{2,60})(=|: ?)(["']?)([^\s"'\\]{8,})/g;
const bearer = /\b(bearer)\s+[\w.~+/=-]{8,}/gi;
const basic = /\b(basic)\s+([\w+/-]{8,}={0,2})/gi;
/** Keys of well-known services, JSON web tokens and private keys are known by their form. */
const forms =
  /\b(?:sk-[\w-]{16,}|gh[a-z]_\w{20,}|github_pat_\w{20,}|xox[a-z]-[\w-]{10,}|lsv2_\w{16,}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*)|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[^-]*-----END [A-Z ]{0,20}PRIVATE KEY-----/g;
const mask = "•••";

/** The text with the values of fields that hold credentials masked; the same text when there are none. */
export function redact(text: string): string {
  if (!suspicious.test(text)) return text;
  return maskFields(text)
    .replace(bearer, `$1 ${mask}`)
    .replace(basic, (whole, name: string, value: string) => (isBasic(value) ? `${name} ${mask}` : whole))
    .replace(assignment, (whole, name: string, sign: string, quote: string, value: string) =>
      isHarmless(name, value) ? whole : `${name}${sign}${quote}${mask}`,
    )
    .replace(forms, mask);
}

function maskFields(text: string): string {
  let masked = "";
  let copied = 0;
  field.lastIndex = 0;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [found, escape = "", name = ""] = match;
    const start = match.index + found.length;
    const named =
      name === "name" || name === "key" ? pair.exec(text.slice(start, start + longestPair)) : null;
    const [between = "", , inner = name] = named ?? [];
    if (!isCredential(inner)) continue;
    const from = start + between.length;
    const end = endOfValue(text, from, `${escape}"`);
    const value = text.slice(from, end);
    field.lastIndex = end;
    if (isHarmless(inner, value)) continue;
    masked += `${text.slice(copied, from)}${escape}"${mask}${escape}"`;
    copied = end;
  }
  return masked + text.slice(copied);
}

/** What the last words of a credential's name are. */
const credential =
  /(^| )(password|passwd|passphrase|pwd|secret|token|jwt|cookie|authorization|apikey|((api|access|secret|private|signing|encryption|service|master|account|auth|subscription|webhook) key))$/;
/** Tokens that authorize, and those that only say where a list goes on or mean something to a model. */
const authorizing =
  /(^| )(access|refresh|id|auth|session|security|bearer|api|csrf|xsrf|client|user|bot|service|secret|personal) token$/;
const harmless =
  /(^| )(page|next|continuation|sync|cursor|bos|eos|pad|unk|sep|cls|mask|stop|start|end|special) token$/;
const known = new Map<string, string>();

function isCredential(name: string): boolean {
  return credential.test(wordsOf(name));
}

/** "OPENAI_API_KEY", "openaiApiKey" and "openai-api-key" are all "openai api key". */
function wordsOf(name: string): string {
  const found = known.get(name);
  if (found !== undefined) return found;
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  const words = spaced
    .replace(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase();
  if (known.size >= mostKnown) known.clear();
  known.set(name, words);
  return words;
}

const mostKnown = 1000;

/** Numbers count tokens, graphs stream their own words under "token", and models have an "eos_token". */
function isHarmless(name: string, value: string): boolean {
  if (/^(null|true|false|-?\d+(\.\d+)?|"")$/.test(value)) return true;
  const words = wordsOf(name);
  if (!credential.test(words) || harmless.test(words)) return true;
  return / ?token$/.test(words) && !authorizing.test(words) && (value.length < 18 || /\s/.test(value));
}

/** Whether it is a user name and a password, and not a word that follows "basic". */
function isBasic(value: string): boolean {
  const plain = value.replace(/-/g, "+").replace(/_/g, "/").replace(/=+$/, "");
  return plain.length % 4 !== 1 && /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(plain));
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

/** The index after a string's closing quote, which is one that no further backslash escapes. */
function endOfString(text: string, start: number, quote: string): number {
  let at = start + quote.length;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) return text.length;
    let slashes = 0;
    while (text[close - slashes - 1] === "\\") slashes += 1;
    if (slashes % (2 * quote.length) === 0) return close + quote.length;
    at = close + quote.length;
  }
}
