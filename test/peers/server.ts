/** A real agent server (the pinned peer in `langgraph/`) on a free port, with its state in a temporary folder. */

import { appendFile, cp, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ProcessGroup, startProcessGroup } from "../host/processGroup.ts";
import { noteForeignServer } from "../support/foreign.ts";
import { until } from "../support/until.ts";

/** The running server. */
export interface PeerServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** One whose state outlives its process. */
export interface AgentServerProcess extends PeerServer {
  /**
   * Saves a graph's file, and resolves when the watcher has restarted the server, which writes its threads to disk before;
   * for one that was started to watch.
   */
  save(graph: string): Promise<void>;
  /**
   * Kills it as soon as all of its threads lie on disk, and starts it again at the same address; `change` may change its
   * graphs meanwhile, in the folder that it is given.
   */
  killAndRestart(change?: (graphs: string) => Promise<void>): Promise<void>;
}

const home = join(import.meta.dirname, "langgraph");
const readyMs = 180_000;

/** Starts the server and resolves when it answers; `env` is laid over its quiet environment. `watches` its graphs' files. */
export async function startAgentServer(
  env: Readonly<Record<string, string>> = {},
  watches = false,
): Promise<AgentServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), "agent-operations-peer-"));
  for (const name of ["graphs", "langgraph.json", "package.json", "tsconfig.json"]) {
    await cp(join(home, name), join(folder, name), { recursive: true });
  }
  await symlink(join(home, "node_modules"), join(folder, "node_modules"), "junction");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  noteForeignServer(url);
  const given: Start = { folder, port, env, watches, loads: 0 };
  let group = await start(given);
  return {
    url,
    save: async (graph) => {
      const before = given.loads;
      await appendFile(join(folder, "graphs", graph), "// saved\n");
      await until("the server has loaded its graphs anew", () => given.loads > before, readyMs);
    },
    stop: async () => {
      await group.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    killAndRestart: async (change) => {
      await allOnDisk(url, folder);
      await group.kill();
      await change?.(join(folder, "graphs"));
      group = await start(given);
    },
  };
}

/** How a server is started, and how often it has been loaded. */
interface Start {
  readonly folder: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  readonly watches: boolean;
  loads: number;
}

async function start(given: Start): Promise<ProcessGroup> {
  const { folder, port, env, watches } = given;
  const cli = join(home, "node_modules", "@langchain", "langgraph-cli", "dist", "cli", "cli.mjs");
  let saidReady = false;
  const group = startProcessGroup(
    process.execPath,
    [
      ...[cli, "dev", "--no-browser", ...(watches ? [] : ["--no-reload"])],
      ...["--host", "127.0.0.1", "--port", String(port)],
    ],
    {
      cwd: folder,
      env: { ...quiet, ...(watches ? {} : loadedByNode), ...env },
      onLine: (line) => {
        const isReady = /Server running at/i.test(line);
        saidReady ||= isReady;
        if (isReady) given.loads += 1;
      },
    },
  );
  const ended = group.exited.then(
    (code) => `ended with ${code}`,
    (error: unknown) => `did not start: ${String(error)}`,
  );
  const outcome = await Promise.race([ended, answers(`http://127.0.0.1:${port}`, () => saidReady)]);
  if (outcome === undefined) return group;
  await group.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  throw new Error(`The agent server ${outcome}\n${group.lastLines()}`);
}

/** The server writes its files some seconds behind what it did, what ran before what it then made a thread of. */
async function allOnDisk(url: string, folder: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/threads`, { method: "POST", headers, body: "{}" });
  const { thread_id: mark } = (await answer.json()) as { readonly thread_id: string };
  const files = join(folder, ".langgraph_api");
  const end = Date.now() + readyMs;
  let size = -1;
  while (Date.now() < end) {
    const operations = await readFile(join(files, ".langgraphjs_ops.json"), "utf8").catch(() => "");
    const now = await stat(join(files, ".langgraphjs_api.checkpointer.json")).catch(() => undefined);
    if (operations.endsWith("}") && operations.includes(mark) && now?.size === size) return;
    size = now?.size ?? -1;
    await delay(500);
  }
  throw new Error(`The agent server did not write its threads to ${files}`);
}

/**
 * Node reads the graphs itself: a loader for TypeScript, which a server that watches them needs, would read all that the
 * server loads. Its own first module stands in for one.
 */
const loadedByNode = {
  LANGGRAPH_NODE_LOADER: join(home, "node_modules", "@langchain", "langgraph-api", "dist", "preload.mjs"),
};

const quiet = {
  LANGGRAPH_CLI_NO_ANALYTICS: "1",
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
  BROWSER: "none",
};

/** Asks only after the server itself said that it has the port. */
async function answers(url: string, saidReady: () => boolean): Promise<string | undefined> {
  const isReady = async (): Promise<boolean> =>
    saidReady() && (await fetch(`${url}/ok`).catch(() => undefined))?.ok === true;
  return until("it is ready", isReady, readyMs).then(
    () => undefined,
    () => `was not ready after ${readyMs / 1000} s`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
