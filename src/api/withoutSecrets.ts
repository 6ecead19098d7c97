/** Some servers repeat a refused key in their answer: it must not get into an error's text, and so into logs. */

const openHeaders = new Set(["accept", "content-type", "user-agent", "last-event-id"]);
/** What is shorter is too common in other texts. */
const shortest = 8;
const mask = "***";

/**
 * The text without the values of headers that authorize a request, with or without the scheme before them: as they are,
 * encoded for a URL, in hex, and in base64, wherever in a longer text that was encoded.
 */
export function withoutSecrets(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.entries(headers)
    .filter(([name]) => !openHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, value.replace(/^\S+ /, ""), ...basicParts(value)])
    .filter((value) => value.length >= shortest);
  let clean = text;
  for (const secret of new Set(secrets)) {
    const hex = Buffer.from(secret).toString("hex");
    for (const form of [secret, encodeURIComponent(secret), hex, hex.toUpperCase()]) {
      clean = clean.replaceAll(form, mask);
    }
    for (const core of base64Cores(secret)) {
      clean = clean.replace(new RegExp(`[\\w+/-]{0,3}${core}[\\w+/-]{0,3}={0,2}`, "g"), mask);
    }
  }
  return clean;
}

/** User name and password of basic authorization, as a server may repeat them. */
function basicParts(value: string): readonly string[] {
  const [, encoded] = /^basic +(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const whole = Buffer.from(encoded, "base64").toString();
  return [whole, whole.slice(whole.indexOf(":") + 1)];
}

/** The characters that do not depend on what stands before and after the secret, for each of the three alignments. */
function base64Cores(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const encoded = bytes.toString("base64").replace(/=+$/, "");
    const core = encoded.slice(Math.ceil((shift * 8) / 6), bytes.length % 3 === 0 ? undefined : -1);
    if (core.length < shortest) return [];
    // Base64 for URLs has other characters for two of the sixty-four.
    return [core.replace(/[+-]/g, "[+-]").replace(/[/_]/g, "[/_]")];
  });
}
