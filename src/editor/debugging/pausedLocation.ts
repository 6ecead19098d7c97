/** Where a process is that a debugger paused, asked of the debug session, which can resume it, too. */

import { sep } from "node:path";
import { isObject } from "../../api/shape.ts";
import type { Pause } from "../workspaceGraphs/debugStates.ts";

/** The part of a debug session that is needed. */
export interface AskedSession {
  customRequest(command: string, args: unknown): Thenable<unknown>;
}

/** What the debugger said when it stopped. */
export interface Stop {
  readonly threadId: number;
  readonly reason: string;
}

const mostFrames = 50;
const mostOfThrown = 200;

/**
 * The framework keeps what runs in the context of asynchronous calls: this reads it there, also after an `await`. The
 * answer is base64, so that nothing of it is quoted.
 */
const whoRuns = `(() => {
  const store = globalThis[Symbol.for("ls:tracing_async_local_storage")]?.getStore?.();
  const config = store?.extra?.[Symbol.for("lc:child_config")];
  const facts = { node: config?.metadata?.langgraph_node, threadId: config?.configurable?.thread_id };
  return Buffer.from(JSON.stringify(facts)).toString("base64");
})()`;

/** Asks the session; `folder` is the project's. Rejects when the session went on or ended meanwhile. */
export async function pausedLocation(
  session: AskedSession,
  { threadId, reason }: Stop,
  folder: string,
): Promise<Pause> {
  const asked = { threadId, startFrame: 0, levels: mostFrames };
  const frames = listIn(await session.customRequest("stackTrace", asked), "stackFrames");
  const own = frames.find((frame) => isOwn(pathOf(frame), folder));
  const line = own?.["line"];
  const [facts, thrown] = await Promise.all([
    askWhoRuns(session, frames[0]?.["id"]),
    reason === "exception" ? askThrown(session, threadId) : undefined,
  ]);
  return {
    node: facts["node"] ?? nameOf(own ?? frames[0]),
    threadId: facts["threadId"],
    location: own && typeof line === "number" ? { file: pathOf(own), line } : undefined,
    thrown,
  };
}

/** Resumes all sessions that are paused. */
export async function goOn(stops: ReadonlyMap<AskedSession, Stop> = new Map()): Promise<void> {
  await Promise.all(
    [...stops].map(([session, { threadId }]) => session.customRequest("continue", { threadId })),
  );
}

type Fields = Readonly<Record<string, unknown>>;

async function askWhoRuns(
  session: AskedSession,
  frameId: unknown,
): Promise<Readonly<Record<string, string | undefined>>> {
  try {
    const answer = await session.customRequest("evaluate", { expression: whoRuns, frameId, context: "repl" });
    const [base64 = ""] = /[\w+/]+=*/.exec(String((Object(answer) as Fields)["result"])) ?? [];
    const parsed: unknown = JSON.parse(Buffer.from(base64, "base64").toString("utf8"));
    const texts = Object.entries(isObject(parsed) ? parsed : {}).filter(
      ([, text]) => typeof text === "string",
    );
    return Object.fromEntries(texts) as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}

async function askThrown(session: AskedSession, threadId: number): Promise<string | undefined> {
  const info = Object(await session.customRequest("exceptionInfo", { threadId })) as Fields;
  const said = [info["description"], info["exceptionId"]].find((text) => typeof text === "string");
  return said?.split("\n", 1)[0]?.slice(0, mostOfThrown);
}

/** Remote hosts give an address in place of a path. */
function pathOf(frame: Fields): string {
  const path = (Object(frame["source"]) as Fields)["path"];
  if (typeof path !== "string") return "";
  const { protocol, pathname } = URL.parse(path) ?? {};
  return protocol === "vscode-remote:" && pathname !== undefined ? decodeURIComponent(pathname) : path;
}

function isOwn(path: string, folder: string): boolean {
  const isInstalled = ["node_modules", "site-packages"].some((name) => path.includes(sep + name + sep));
  return path.startsWith(folder + sep) && !isInstalled;
}

/** A frame's function; undefined for one without a name. */
function nameOf(frame: Fields | undefined): string | undefined {
  const name = typeof frame?.["name"] === "string" ? frame["name"].split(".").at(-1) : undefined;
  return name?.startsWith("<") === true ? undefined : name;
}

function listIn(answer: unknown, name: string): readonly Fields[] {
  const list = (Object(answer) as Fields)[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
