import type { AgentSchemas } from "../../src/run/panel/agent.ts";
import type { GraphReading } from "../../src/run/panel/agent.ts";
import type { PanelState } from "../../src/run/panel/messages.ts";
import type { Picture } from "../../src/run/json/pictures.ts";
import type { Entry, InterruptEntry } from "../../src/run/panel/transcript.ts";
import { approval, conversation, idle, streaming } from "./demo.ts";
import { until } from "../support/until.ts";
import { graph, ranGraph } from "./graphDemo.ts";
import type { PanelPage } from "./panelPage.ts";
import { timelineThread } from "./timelineThread.ts";

/** What the page shows, and what a person opened there. */
export interface View {
  readonly state: PanelState;
  readonly entries: readonly Entry[];
  readonly prepare?: (panel: PanelPage) => Promise<void>;
}

const interrupt = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
const asked: InterruptEntry = { ...interrupt, requests: [], value: null };
const nested = { sql: "SELECT 1\nFROM users", limits: { rows: 5, dry: false }, ids: ["1", 2] };
const options = [
  { label: "Europe", value: "eu" },
  { label: "Asia", value: "as" },
];
const formSchemas: AgentSchemas = {
  kind: "known",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["topic"],
    properties: {
      topic: { type: "string", minLength: 3, description: "What it is about" },
      audience: { enum: ["children", "engineers"] },
      rounds: { type: "integer" },
      dry: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      tone: { type: "object", properties: { formal: { type: "boolean" } }, required: ["formal"] },
      extra: {},
    },
  },
};
const dot: Picture = {
  ...{ type: "image/gif", width: 1, height: 1 },
  data: "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==",
};
const codeOfAllColours =
  '```ts\n// why\nconst a: Map<string> = f({ b: "c" }, 42);\n```\n```py\n@cache\nclass A: pass\n```\n```diff\n-a\n+b\n```';
/** Opens one card of each kind. */
export const openAll = async (panel: PanelPage) => {
  for (const id of ["n-1", "t-3", "c-1"])
    await panel.page.locator(`[data-row="${id}"] .disclosure-head`).click();
};

/** Shows the graph of the researcher. */
export const openGraph = async (panel: PanelPage, told: GraphReading = { kind: "known", graph }) => {
  await panel.page.getByRole("tab", { name: "Graph" }).click();
  await panel.next("graph");
  await panel.deliver({ type: "graph", assistantId: "researcher", isOpened: false, graph: told });
};

/** Every kind of question, in every state. */
export const questionsOfAllKinds: View = {
  state: idle,
  entries: [
    { ...interrupt, id: "i-1", requests: [{ ...interrupt.requests[0]!, args: nested }] },
    { ...asked, id: "i-2", question: { text: "**Where?**", options, several: false, proposal: "eu" } },
    { ...asked, id: "i-3", question: { text: "Which?", options, several: true, rest: { ticket: 7 } } },
    { ...asked, id: "i-4", next: ["send"] },
    { ...asked, id: "i-5", state: "answered", answer: "eu", giver: { kind: "otherWindow" } },
    { ...interrupt, id: "i-6", state: "dropped" },
  ],
  prepare: async (panel) => {
    await panel.page.locator(".request").first().getByRole("button", { name: "Edit" }).click();
    await panel.page.locator(".asked-action .disclosure-head").first().click();
    await panel.page.getByRole("textbox", { name: "Message" }).fill("Something else");
    await panel.page.keyboard.press("Enter");
    await panel.page.getByRole("button", { name: "Start a New Run" }).waitFor();
  },
};

const timeline = async (panel: PanelPage) => {
  await panel.page.getByRole("button", { name: /^Timeline/ }).click();
  await panel.page.locator(".timeline-chart").focus();
};

/** All that the page can look like, by name. */
export const views: Readonly<Record<string, View>> = {
  "a timeline": { state: idle, entries: timelineThread(), prepare: timeline },
  "a timeline's table": {
    state: idle,
    entries: timelineThread(),
    prepare: async (panel) => {
      await timeline(panel);
      await panel.page.getByRole("button", { name: "Table" }).click();
      await panel.page.getByRole("row").nth(1).focus();
    },
  },
  "an empty thread": { state: idle, entries: [] },
  "a thread that loads": { state: { ...idle, session: { kind: "loading" } }, entries: [] },
  "a thread that failed": {
    state: {
      ...idle,
      session: {
        kind: "failed",
        message: "Refused",
        actions: [
          { title: "Try Again", action: "retry" },
          { title: "Show Log", action: "showLog" },
        ],
      },
    },
    entries: conversation.slice(0, 3),
  },
  "a run that seems to be stranded": {
    state: {
      ...streaming,
      session: {
        ...{ kind: "streaming", runId: "run-1" },
        stranded: {
          text: "This run seems to be stranded: graphs/planner.mts was saved, its server loaded the graphs anew at 10:33:12, and nothing comes from the run since.",
          next: ["search"],
        },
      },
    },
    entries: conversation.slice(0, 3),
  },
  "a thread that goes on in a copy, and is one": {
    state: { ...idle, links: { continuedIn: "t2", continuedFrom: "t0" } },
    entries: conversation.slice(0, 3),
  },
  "a conversation with its cards open": { state: streaming, entries: conversation, prepare: openAll },
  "code in all its colours": {
    state: idle,
    entries: [
      { kind: "message", id: "code", lane: "", role: "ai", streaming: false, text: codeOfAllColours },
    ],
    prepare: (panel) => panel.page.locator(".code-keyword").first().waitFor(),
  },
  "a search that found something, and something that is not searched": {
    state: { ...idle, earlier: "more" },
    entries: conversation,
    prepare: async (panel) => {
      await panel.page.getByRole("button", { name: "Search (Ctrl+F)" }).click();
      await panel.page.getByRole("textbox", { name: "Search in the transcript" }).fill("the");
      await panel.page.locator(".find-count", { hasText: /of/ }).waitFor();
    },
  },
  "steps whose code is known": { state: { ...idle, hasSource: true }, entries: ranGraph },
  "the graph of a run": { state: { ...idle, hasSource: true }, entries: ranGraph, prepare: openGraph },
  "a graph that is not told": {
    state: idle,
    entries: ranGraph,
    prepare: (panel) => openGraph(panel, { kind: "unknown", message: "Its server tells none." }),
  },
  "pictures, in a message and in a card": {
    state: idle,
    entries: [
      { kind: "message", id: "p", lane: "", role: "ai", streaming: false, text: "", pictures: [dot] },
      {
        ...{ kind: "tool", id: "t", lane: "", name: "draw", args: "", result: "Done", status: "done" },
        ...{ artifact: '{"rows":3}', pictures: [dot] },
      },
    ],
    prepare: (panel) => panel.page.locator(".disclosure-head").click(),
  },
  "an interrupt being answered": {
    state: idle,
    entries: [interrupt, { ...interrupt, id: "i-2", requests: [] }],
    prepare: async (panel) => {
      await panel.page.locator(".request").first().getByRole("button", { name: "Edit" }).click();
      await panel.page.locator(".request").nth(1).getByRole("button", { name: "Respond" }).click();
      await panel.page.getByRole("button", { name: "JSON" }).first().click();
      await panel.page.getByRole("textbox", { name: "Edited" }).fill("{");
    },
  },
  "questions of all kinds, and a new run that is written beside them": questionsOfAllKinds,
  "feedback with all fields": {
    state: idle,
    entries: conversation.filter((entry) => entry.kind === "feedback"),
    prepare: (panel) => panel.page.getByRole("button", { name: "More Fields" }).first().click(),
  },
  "the composer with its options, while a run streams": {
    state: streaming,
    entries: conversation,
    prepare: async (panel) => {
      await panel.page.getByRole("button", { name: "Options" }).click();
      await panel.page.getByRole("button", { name: "JSON" }).click();
      await panel.page.getByRole("textbox", { name: "Input as JSON" }).fill("{");
      await panel.page.getByRole("radio").first().waitFor();
    },
  },
  "a form with fields of all kinds, one of which is refused": {
    state: idle,
    entries: [],
    prepare: async (panel) => {
      await panel.deliver({
        type: "agent",
        agent: { assistantId: "researcher", schemas: formSchemas, options: {} },
      });
      await panel.page.getByRole("button", { name: "Add to tags" }).click();
      await panel.page.getByRole("button", { name: "Add tone" }).click();
      await panel.page.getByRole("button", { name: "Run", exact: true }).click();
      await panel.page.getByRole("button", { name: "Send Anyway" }).waitFor();
    },
  },
  "an input in JSON that is refused, with what can be written": {
    state: idle,
    entries: [],
    prepare: async (panel) => {
      await panel.deliver({
        type: "agent",
        agent: { assistantId: "researcher", schemas: formSchemas, options: {} },
      });
      await panel.page.getByRole("button", { name: "JSON" }).click();
      await panel.page.getByRole("textbox", { name: "Input as JSON" }).fill('{"topc": 1}');
      await panel.page.locator(".problem-place").first().waitFor();
      await panel.page.getByRole("textbox", { name: "Input as JSON" }).fill('{"topc": 1, }');
      await panel.page.keyboard.press("ArrowLeft");
      await panel.page.keyboard.press("Control+Space");
      await panel.page.getByRole("listbox").waitFor();
    },
  },
  "a message that its agent could not take, and one that is not sent for that": {
    state: idle,
    entries: [],
    prepare: async (panel) => {
      const tell = (schemas: AgentSchemas) =>
        panel.deliver({ type: "agent", agent: { assistantId: "researcher", schemas, options: {} } });
      const box = panel.page.getByRole("textbox", { name: "Message" });
      await tell({ kind: "asking" });
      await box.fill("Hello");
      await box.press("Enter");
      await panel.next("start");
      await panel.deliver({ type: "accepted", request: "start" });
      await until("the box is empty", async () => (await box.inputValue()) === "");
      await box.fill("And again");
      await tell(formSchemas);
      await panel.page.getByText("what you sent did not reach it").waitFor();
    },
  },
  "the event list": {
    state: streaming,
    entries: conversation,
    prepare: async (panel) => {
      await panel.page.getByRole("tab", { name: /Events/ }).click();
      await panel.next("raw");
      const events = [{ index: 411, event: "messages", data: '{"a":1}', at: 0 }];
      await panel.deliver({ type: "rawPage", search: "", offset: 0, total: 1, events });
      await panel.page.getByRole("button", { name: /messages/ }).click();
    },
  },
};
