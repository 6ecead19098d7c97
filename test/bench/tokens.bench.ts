/** Token events through parse and fold, beside the platform's SDK and beside JSON.parse alone, which is the limit. */

import { join } from "node:path";
import { installPeer } from "../peers/install.ts";
import { readTokens } from "./processes.ts";
import { median, projectFolder, report, versionOf } from "./report.ts";
import type { TokenPath, TokenRound } from "./tokenPaths.ts";

/** The SDK joins all pieces of a message anew with each piece: that is measured on fewer events. */
const ways: readonly { readonly path: TokenPath; readonly what: string; readonly events: number }[] = [
  { path: "extension", what: "extension: events, raw list, transcript, patches", events: 50_000 },
  { path: "parsed", what: "extension: events alone", events: 50_000 },
  { path: "sdk", what: "SDK: events", events: 50_000 },
  { path: "merged", what: "SDK: events and merged messages", events: 5000 },
  { path: "json", what: "JSON.parse of the same data", events: 50_000 },
];
const turns = 3;
const rounds = 3;

await installPeer();
const measured = new Map<TokenPath, TokenRound[]>(ways.map(({ path }) => [path, []]));
for (let turn = 0; turn < turns; turn += 1)
  for (const { path, events } of ways) measured.get(path)?.push(...(await readTokens(path, events, rounds)));

const rate = (path: TokenPath, events: number, of: keyof TokenRound) =>
  (events * 1000) / median((measured.get(path) ?? []).map((round) => round[of]));
const own = rate("extension", 50_000, "cpuMs");
report(
  "Token events through parse and fold, medians of 9 readings",
  ways.map(({ path, what, events }) => ({
    what,
    events,
    "events/s": rate(path, events, "ms"),
    "events per s of processor": rate(path, events, "cpuMs"),
    "extension is": `${(own / rate(path, events, "cpuMs")).toFixed(2)} ×`,
  })),
  [
    "The bars: 6 × the SDK's events, and 0.40 × JSON.parse.",
    versionOf(join(projectFolder, "test/peers/langgraph"), "@langchain/langgraph-sdk"),
  ],
);
