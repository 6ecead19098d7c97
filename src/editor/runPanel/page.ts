/**
 * The run panel's page as the host sees it. What it asks for is checked first, since it shows what agents say. What goes
 * to it is paced: text that streams leaves at once, all else waits a moment for what follows; only a few patches are on
 * their way at once, and the next one holds all that came meanwhile.
 */

import type { Webview } from "vscode";
import type { Focus } from "../../run/panel/focus.ts";
import type { FromWebview, PanelState, ToWebview } from "../../run/panel/messages.ts";
import type { RunSession } from "../../run/session/session.ts";
import { isRemedyAction } from "../kit/remedies.ts";

/** What the page shows, and who does what it asks for. */
export interface PageParts {
  readonly webview: Pick<Webview, "postMessage" | "onDidReceiveMessage">;
  readonly session: Pick<RunSession, "entries" | "events" | "streams" | "takePatch" | "listen">;
  /** All that stands beside the conversation. */
  state(): PanelState;
  readonly requests: { handle(request: PageRequest): Promise<void> };
  /** A request went wrong. */
  readonly failed: (error: unknown) => void;
  /** It sent what is no request. */
  readonly unknown: () => void;
}

/** Everything that a page asks for but what it says of itself. */
export type PageRequest = Exclude<FromWebview, { readonly type: "ready" | "arrived" | "painted" }>;

/** While the page paints one, the next are on their way. */
const mostUnpainted = 4;
/**
 * How long what is no streaming text waits for what follows, in milliseconds. The first token comes a few milliseconds
 * after its run began: a page that draws the beginning alone would make it wait.
 */
const restMs = 20;

/** One panel's page, however often it is made anew. */
export class Page {
  readonly #parts: PageParts;
  #revision = 0;
  /** The latest revision that the page has painted. */
  #painted = 0;
  #ready = false;
  #hidden = false;
  /** The messages that move the focus and that the page has not confirmed yet. */
  #asked: readonly Focus[] = [];
  #state = "";
  #due: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;

  constructor(parts: PageParts) {
    this.#parts = parts;
    this.#stopListening = parts.session.listen(() => this.changed());
    // A panel that is closed ends its webview's messages.
    parts.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
  }

  /** Sends what it waits for, or is to know. */
  send(message: ToWebview): void {
    void this.#parts.webview.postMessage(message);
  }

  /** Something changed: it leaves now or in a moment if the page keeps up, else when it painted what it has. */
  changed(): void {
    if (this.#parts.session.streams) this.#flush();
    else this.#due ??= setTimeout(() => this.#flush(), restMs);
  }

  /** Puts the focus somewhere, as soon as the page is there. The editor may make it anew without saying that it hid it. */
  focus(target: Focus): void {
    this.#asked = [...this.#asked, target];
    if (this.#ready && !this.#hidden) this.send(target);
  }

  /** The editor drops the page of a hidden tab, and makes it anew. */
  hidden(): void {
    this.#hidden = true;
  }

  /** The page is gone. */
  dispose(): void {
    clearTimeout(this.#due);
    this.#stopListening();
    this.#ready = false;
  }

  #received(message: unknown): void {
    const request = pageRequestOf(message);
    const { requests, failed, unknown } = this.#parts;
    if (request === undefined) unknown();
    else if (request.type === "ready") this.#begin();
    else if (request.type === "arrived") this.#asked = this.#asked.slice(1);
    else if (request.type === "painted") this.#wasPainted(request.revision);
    else requests.handle(request).catch(failed);
  }

  /** The page is there, for the first time, or again after it was hidden or moved: it gets everything. */
  #begin(): void {
    this.#ready = true;
    this.#hidden = false;
    // A snapshot holds what the next patch would have brought.
    const { session } = this.#parts;
    session.takePatch();
    this.#revision += 1;
    // Nothing goes on top of a snapshot, which may be large, before it is there.
    this.#painted = this.#revision - mostUnpainted;
    const state = this.#parts.state();
    this.#state = textOf(state);
    this.send({ type: "snapshot", revision: this.#revision, state, entries: session.entries });
    for (const target of this.#asked) this.send(target);
  }

  #wasPainted(revision: number): void {
    if (revision <= this.#painted || revision > this.#revision) return;
    this.#painted = revision;
    this.changed();
  }

  #flush(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    if (!this.#ready || this.#revision - this.#painted >= mostUnpainted) return;
    this.#postState();
    const { session } = this.#parts;
    const patch = session.takePatch();
    if (patch === undefined) return;
    this.#revision += 1;
    this.send({ type: "patch", revision: this.#revision, patch, events: session.events });
  }

  #postState(): void {
    const state = this.#parts.state();
    const text = textOf(state);
    if (text === this.#state) return;
    this.#state = text;
    this.send({ type: "state", state });
  }
}

/** The count of events goes with each patch and is no reason for a message of its own. */
function textOf(state: PanelState): string {
  return JSON.stringify({ ...state, events: 0 });
}

/** What a message of the page asks for; undefined for any other message. */
export function pageRequestOf(message: unknown): FromWebview | undefined {
  if (!object(message)) return undefined;
  const { type } = message as Fields;
  if (typeof type !== "string" || !Object.hasOwn(requests, type)) return undefined;
  return requests[type as RequestType](message) ? (message as FromWebview) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;
type RequestType = FromWebview["type"];

const text: Check = (value) => typeof value === "string";
const index: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const anything: Check = (value) => value !== undefined;
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    object(value) && Object.entries(checks).every(([name, check]) => check((value as Fields)[name]));
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const strategies = ["reject", "enqueue", "interrupt", "rollback"];
const breakpoints: Check = (value) => value === "*" || listOf(text)(value);

const runRequest = shape({
  assistantId: text,
  input: (value) => shape({ text })(value) || shape({ json: anything })(value),
  streamModes: listOf(text),
  metadata: optional(object),
  strategy: optional(oneOf(...strategies)),
  feedbackKeys: optional(listOf(text)),
  context: optional(object),
  configurable: optional(object),
  recursionLimit: optional(index),
  interruptBefore: optional(breakpoints),
  interruptAfter: optional(breakpoints),
});

const inputMode = oneOf("text", "form", "json");

const agentOptions = shape({
  mode: optional(inputMode),
  streamModes: optional(listOf(text)),
  strategy: optional(oneOf("default", ...strategies)),
  feedbackKeys: optional(text),
  metadata: optional(text),
  context: optional(text),
  configurable: optional(text),
  recursionLimit: optional(text),
  interruptBefore: optional(text),
  interruptAfter: optional(text),
});

const decision: Check = (value) =>
  shape({ type: oneOf("approve") })(value) ||
  shape({ type: oneOf("edit"), edited_action: shape({ name: text, args: anything }) })(value) ||
  shape({ type: oneOf("reject"), message: optional(text) })(value) ||
  shape({ type: oneOf("respond"), message: text })(value);

const feedback = shape({
  score: optional(Number.isFinite),
  value: optional(Number.isFinite),
  comment: optional(text),
  correction: optional(object),
  metadata: optional(object),
});

const stepCheckpoints = shape({
  before: text,
  after: optional(text),
  outcome: optional(shape({ taskId: text, fields: listOf(oneOf("result", "error", "interrupts")) })),
});

const action: Check = (value) =>
  shape({ verb: oneOf("continue", "step", "to") })(value) ||
  shape({ verb: oneOf("retry", "from", "edit"), checkpointId: optional(text) })(value) ||
  shape({ verb: oneOf("skip"), node: optional(text) })(value) ||
  shape({ verb: oneOf("regenerate"), message: text })(value) ||
  shape({ verb: oneOf("resend"), message: text, text: optional(text) })(value);

const requests: Readonly<Record<RequestType, Check>> = {
  ready: anything,
  arrived: anything,
  painted: shape({ revision: index }),
  agent: shape({ assistantId: text, again: optional(oneOf(true, false)) }),
  nodes: shape({ assistantId: text }),
  graph: shape({ assistantId: text, isOpened: oneOf(true, false) }),
  options: shape({ assistantId: text, options: agentOptions }),
  start: shape({ request: runRequest }),
  stop: anything,
  detach: anything,
  reattach: anything,
  remedy: shape({ action: (value) => isRemedyAction(value) }),
  decide: shape({ interruptId: text, decisions: listOf(decision) }),
  resume: shape({ interruptId: text, value: anything }),
  feedback: shape({ runId: text, key: text, feedback }),
  raw: shape({ search: text, offset: index, limit: index }),
  copy: shape({ text }),
  copyEvents: shape({ search: text }),
  openExternal: shape({ url: text }),
  savePicture: shape({ data: text }),
  openText: shape({ text, language: text }),
  saveGraph: shape({ name: text, format: oneOf("svg", "mmd"), text }),
  saveInput: shape({
    input: (value) =>
      shape({ mode: inputMode, request: runRequest })(value) || shape({ problem: text })(value),
  }),
  readEarlier: anything,
  readRuns: shape({ runIds: listOf(text) }),
  compareStep: shape({ name: text, lane: text, checkpoints: stepCheckpoints }),
  repair: shape({ action }),
  continueInCopy: anything,
  openSource: shape({
    source: shape({
      of: oneOf("node", "tool"),
      path: listOf(text),
      runId: optional(text),
      assistantId: optional(text),
    }),
  }),
  findFiles: shape({ paths: listOf(text) }),
  openFile: shape({ path: text, line: index, column: optional(index) }),
  openLinked: shape({ link: oneOf("continuedIn", "continuedFrom") }),
};
