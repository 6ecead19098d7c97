/** The processes of a benchmark: servers that are measured against, and clients that measure. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Measured } from "./streamClient.ts";
import type { TokenPath, TokenRound } from "./tokenPaths.ts";

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

const execute = promisify(execFile);

/** Serves a generated recording; at a rate when one is given, else as fast as the client takes it. */
export async function startRecording(
  kind: "custom" | "tokens",
  events: number,
  perSecond?: number,
): Promise<Server> {
  const rate = perSecond === undefined ? [] : [String(perSecond)];
  const args = [join(import.meta.dirname, "recordingServer.ts"), kind, String(events), ...rate];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    url,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

/** Streams one run in a process of its own. */
export async function streamWith(
  client: "extension" | "sdk",
  url: string,
  events: number,
  frameMs = 16,
): Promise<Measured> {
  const args = [
    "--expose-gc",
    join(import.meta.dirname, "streamClient.ts"),
    client,
    url,
    "flood",
    String(events),
    String(frameMs),
  ];
  const { stdout } = await execute(process.execPath, args);
  return JSON.parse(stdout) as Measured;
}

/** Reads a recorded stream of tokens several times, in a process of its own. */
export async function readTokens(
  path: TokenPath,
  events: number,
  rounds: number,
): Promise<readonly TokenRound[]> {
  const args = [
    "--expose-gc",
    join(import.meta.dirname, "tokenPaths.ts"),
    path,
    String(events),
    String(rounds),
  ];
  const { stdout } = await execute(process.execPath, args);
  return JSON.parse(stdout) as readonly TokenRound[];
}

/** Streams one run with curl; it counts bytes, so the number of events is told by the caller. */
export async function streamWithCurl(url: string, events: number): Promise<Measured> {
  const json = ["-H", "content-type: application/json"];
  const made = await execute("curl", ["-s", ...json, "-d", "{}", `${url}/threads`]);
  const { thread_id: thread } = JSON.parse(made.stdout) as { thread_id: string };
  const body = {
    assistant_id: "flood",
    input: { messages: [], events },
    stream_mode: ["custom", "messages-tuple"],
    stream_subgraphs: true,
    stream_resumable: true,
  };
  const format = "%{time_total} %{size_download}";
  const args = ["-s", "-N", "-o", "/dev/null", "-w", format, ...json, "-d", JSON.stringify(body)];
  const { stdout } = await execute("curl", [...args, `${url}/threads/${thread}/runs/stream`]);
  return { events, ms: Number(stdout.split(" ")[0]) * 1000, cpuMs: NaN, peakMb: NaN, heapMb: NaN };
}
