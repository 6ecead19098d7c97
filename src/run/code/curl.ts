import type { HeaderValue, RunCall } from "./call.ts";
import { jsonSpelling, literal } from "./literal.ts";

/** Systems take no longer argument than 128 KiB. */
const longestArgument = 100_000;

/** A run as a command line for bash, zsh and sh. */
export function curlCode({ url, threadId, headers, body }: RunCall): string {
  const address = `${url.replace(/\/+$/, "")}/threads/${encodeURIComponent(threadId)}/runs/stream`;
  const lines = Object.entries(headers).map(([name, value]) => `--header ${headerWord(name, value)}`);
  const text = literal({ ...body }, jsonSpelling);
  // A line of JSON that is indented, or a bracket, never ends the text.
  const isLong = text.length > longestArgument;
  const data = isLong ? "--data-binary @- <<'JSON'" : `--data-raw ${shellWord(text)}`;
  const command = [
    `curl --no-buffer ${shellWord(address)}`,
    "--header 'content-type: application/json'",
    ...lines,
    data,
  ].join(" \\\n  ");
  return `${command}\n${isLong ? `${text}\nJSON\n` : ""}`;
}

function headerWord(name: string, value: HeaderValue): string {
  return [{ text: `${name}: ` }, ...value]
    .map((part) => ("env" in part ? `"$${part.env}"` : shellWord(part.text)))
    .join("");
}

/** Within single quotes a shell takes everything as it is; a single quote itself stands outside of them. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
