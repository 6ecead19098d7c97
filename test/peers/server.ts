/** A real agent server (the pinned peer in `langgraph/`) on a free port, with its state in a temporary folder. */

import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startProcessGroup } from "../host/processGroup.ts";

/** The running server. */
export interface PeerServer {
  readonly url: string;
  stop(): Promise<void>;
}

const home = join(import.meta.dirname, "langgraph");
const readyMs = 60_000;

/** Starts the server and resolves when it answers; `env` is laid over its quiet environment. */
export async function startAgentServer(env: Readonly<Record<string, string>> = {}): Promise<PeerServer> {
  const folder = await mkdtemp(join(tmpdir(), "agent-operations-peer-"));
  for (const name of ["graphs", "langgraph.json", "package.json", "tsconfig.json"]) {
    await cp(join(home, name), join(folder, name), { recursive: true });
  }
  await symlink(join(home, "node_modules"), join(folder, "node_modules"), "junction");
  const port = await freePort();
  const cli = join(home, "node_modules", "@langchain", "langgraph-cli", "dist", "cli", "cli.mjs");
  let saidReady = false;
  const group = startProcessGroup(
    process.execPath,
    [cli, "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", String(port)],
    {
      cwd: folder,
      env: { ...quiet, ...env },
      onLine: (line) => {
        saidReady ||= /Server running at/i.test(line);
      },
    },
  );
  const stop = async () => {
    await group.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const ended = group.exited.then(
    (code) => `ended with ${code}`,
    (error: unknown) => `did not start: ${String(error)}`,
  );
  const url = `http://127.0.0.1:${port}`;
  const outcome = await Promise.race([ended, answers(url, () => saidReady)]);
  if (outcome === undefined) return { url, stop };
  await stop();
  throw new Error(`The agent server ${outcome}\n${group.lastLines()}`);
}

const quiet = {
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
  BROWSER: "none",
};

/** Asks only after the server itself said that it has the port. */
async function answers(url: string, saidReady: () => boolean): Promise<string | undefined> {
  const end = Date.now() + readyMs;
  while (Date.now() < end) {
    if (saidReady() && (await fetch(`${url}/ok`).catch(() => undefined))?.ok === true) return undefined;
    await delay(100);
  }
  return `was not ready after ${readyMs / 1000} s`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
