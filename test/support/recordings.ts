/** The recordings of real servers, and transcripts as text that a person can check. */

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rows } from "../../src/run/panel/transcriptCopy.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { parseEvents } from "../../src/api/exchange.ts";
import type { SseEvent } from "../../src/api/exchange.ts";

const fixtures = join(import.meta.dirname, "../fixtures");

/** The names of all recorded streams, without ending. */
export function recordingNames(): readonly string[] {
  const files = readdirSync(join(fixtures, "wire"));
  return files.filter((file) => file.endsWith(".sse")).map((file) => file.slice(0, -4));
}

export async function recordingBytes(name: string): Promise<Uint8Array> {
  return readFile(join(fixtures, "wire", `${name}.sse`));
}

export async function recordedJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(fixtures, "wire", `${name}.json`), "utf8")) as T;
}

/** The events in these bytes; an incomplete one at their end is dropped. */
export async function eventsIn(...chunks: readonly Uint8Array[]): Promise<readonly SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const batch of parseEvents(each(chunks))) events.push(...batch);
  return events;
}

/** The golden transcript of a recording. */
export function goldenPath(name: string): string {
  return join(fixtures, "transcripts", `${name}.txt`);
}

/** The conversation: one line per entry, set in by lane; ids and times are left out, for they differ from run to run. */
export function transcriptText(entries: readonly Entry[]): string {
  return wholeTranscriptText(entries.filter(({ kind }) => kind !== "step" && kind !== "values"));
}

/** The same with what ran and what it was given and left behind. */
export function wholeTranscriptText(entries: readonly Entry[]): string {
  const lines = rows(entries, new Set()).map(({ entry, depth }) => {
    const [first = "", ...rest] = lineOf(entry).split("\n");
    const margin = "  ".repeat(depth);
    return [`${margin}${first}`, ...rest.map((line) => `${margin}    ${line}`)].join("\n");
  });
  return `${lines.join("\n")}\n`;
}

function lineOf(entry: Entry): string {
  switch (entry.kind) {
    case "run":
      return `run ${entry.status}${entry.usage === undefined ? "" : ` ${entry.usage.input}+${entry.usage.output} tokens`}`;
    case "message": {
      const signs = [entry.streaming ? " …" : "", entry.partial === true ? " (partial)" : ""].join("");
      return `${entry.role}${entry.name === undefined ? "" : ` ${entry.name}`}: ${entry.text}${signs}`;
    }
    case "tool":
      return `tool ${entry.name} ${entry.args} ${entry.status}${entry.result === undefined ? "" : `: ${entry.result}`}`;
    case "custom":
      return `custom ×${entry.count} ${JSON.stringify(entry.latest)}`;
    case "step":
      return `step ${entry.name} ${entry.status}${entry.keys.length === 0 ? "" : `: ${entry.keys.join(", ")}`}`;
    case "values":
      return `${entry.of} ${entry.text}`;
    case "lane":
      return `lane ${entry.name} ${entry.status}`;
    case "notice":
      return `${entry.level}: ${entry.text}${entry.detail === undefined ? "" : ` ${entry.detail}`}`;
    case "interrupt": {
      const asked = entry.requests.map(
        ({ name, args, allowed }) => `${name} ${JSON.stringify(args)} (${allowed.join(", ")})`,
      );
      if (entry.next !== undefined) return `breakpoint ${entry.state}: ${entry.next.join(", ")}`;
      return `interrupt ${entry.state}: ${asked.length === 0 ? JSON.stringify(entry.value) : asked.join("; ")}`;
    }
    case "feedback":
      return `feedback ${entry.keys.map(({ key, state }) => `${key} ${state}`).join(", ")}`;
    default:
      entry satisfies never;
      return "";
  }
}

async function* each(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield* chunks;
}
