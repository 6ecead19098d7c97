import { strict as assert } from "node:assert";

import type { AgentOptions, AgentSchemas } from "../../src/run/panel/agent.ts";
import type { InterruptEntry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import { conversation, idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const messages = { type: "object", properties: { messages: { type: "array" } } };
const structured = {
  type: "object",
  properties: { topic: { type: "string" }, depth: { type: "integer", default: 2 } },
  required: ["topic"],
};

describe("Saved inputs in the composer", () => {
  const panel = usePanel({ height: 1000 });

  const tell = (assistantId: string, input: AgentSchemas, options: AgentOptions = {}) =>
    panel.deliver({ type: "agent", agent: { assistantId, schemas: input, options } });
  const message = () => panel.page.getByRole("textbox", { name: "Message" });
  const asked = async () => {
    const before = (await panel.posted("saveInput")).length;
    await panel.deliver({ type: "askInput" });
    return (await panel.next("saveInput", before)).input;
  };
  const focused = () => panel.page.evaluate("document.activeElement?.getAttribute('aria-label')");

  beforeEach(async () => {
    await panel.show(idle, conversation);
    await tell("researcher", { kind: "known", input: messages });
    await tell("echo", { kind: "known", input: structured });
  });

  it("bring the agent, the text and how it is run, and put the caret there", async () => {
    await tell("echo", { kind: "known", input: structured }, { context: '{"a": 1}', recursionLimit: "9" });
    await panel.deliver({
      type: "fill",
      assistantId: "echo",
      input: { mode: "json", text: '{\n  "topic": "Tides"\n}' },
      options: { mode: "json", configurable: '{"user": "me"}', interruptBefore: "draft" },
    });
    const box = panel.page.getByRole("textbox", { name: "Input as JSON" });
    await until("the caret is there", async () => (await focused()) === "Input as JSON");
    assert.equal(await box.inputValue(), '{\n  "topic": "Tides"\n}');
    assert.equal(await panel.page.getByRole("combobox", { name: "Agent" }).inputValue(), "echo");
    await box.press("Control+Enter");
    const { request } = await panel.next("start");
    assert.deepEqual(
      [request.assistantId, request.input, request.configurable, request.interruptBefore],
      ["echo", { json: { topic: "Tides" } }, { user: "me" }, ["draft"]],
    );
    assert.deepEqual([request.context, request.recursionLimit], [undefined, undefined], "of before");
  });

  it("come to an agent whose ID is the name of what every object has", async () => {
    const named = { id: "constructor", name: "builder" };
    await panel.show({ ...idle, assistants: [...idle.assistants, named] }, conversation);
    await tell("constructor", { kind: "known", input: structured });
    await panel.page.getByRole("combobox", { name: "Agent" }).selectOption("builder");
    await panel.page.getByRole("textbox", { name: "topic required" }).fill("Tides");
    await panel.deliver({
      type: "fill",
      assistantId: "constructor",
      input: { mode: "json", text: '{"topic": "Wind"}' },
      options: { mode: "json" },
    });
    const box = panel.page.getByRole("textbox", { name: "Input as JSON" });
    await until("it is there", async () => (await box.inputValue()) === '{"topic": "Wind"}');
  });

  it("give way to what they replaced by ↑, and keep what they did not", async () => {
    await message().fill("half a thought");
    const fill = { type: "fill", assistantId: "researcher", options: { mode: "text" } } as const;
    await panel.deliver({ ...fill, input: { mode: "text", text: "saved" } });
    await until("it is there", async () => (await message().inputValue()) === "saved");
    await message().press("Home");
    await message().press("ArrowUp");
    await until("what was written is back", async () => (await message().inputValue()) === "half a thought");
    await panel.deliver({ ...fill, options: { mode: "json" }, input: { mode: "json", text: "{}" } });
    await panel.page.getByRole("textbox", { name: "Input as JSON" }).waitFor();
    await panel.page.getByRole("button", { name: "Text", exact: true }).click();
    assert.equal(await message().inputValue(), "half a thought");
  });

  it("arrive also before the page has drawn its composer", async () => {
    await panel.reload();
    await panel.deliver({
      type: "fill",
      assistantId: "researcher",
      input: { mode: "text", text: "early" },
      options: { mode: "text" },
    });
    await panel.deliver({ type: "askInput" });
    await panel.show({ ...idle, assistants: [] }, conversation);
    assert.deepEqual(await panel.posted("saveInput"), [], "nobody knows for whom");
    await panel.show(idle, conversation);
    const { input } = await panel.next("saveInput");
    assert.deepEqual("request" in input && input.request.input, { text: "early" });
    await until("it is there", async () => (await message().inputValue()) === "early");
    await until("the caret is there", async () => (await focused()) === "Message");
  });

  it("are confirmed as they arrive, each once, as is all that puts the focus somewhere", async () => {
    const before = (await panel.posted("arrived")).length;
    const input = { mode: "text", text: "here" } as const;
    await panel.deliver({ type: "fill", assistantId: "researcher", input, options: { mode: "text" } });
    await panel.deliver({ type: "focusComposer" });
    await panel.deliver({
      type: "agent",
      agent: { assistantId: "echo", schemas: { kind: "asking" }, options: {} },
    });
    await until("both are", async () => (await panel.posted("arrived")).length >= before + 2);
    await asked();
    assert.equal((await panel.posted("arrived")).length, before + 3);
  });

  it("are what would be sent, or say why nothing can be saved", async () => {
    assert.deepEqual(await asked(), { problem: "nothing is written yet" });
    await message().fill("Hello");
    const streamModes = ["messages-tuple", "updates", "custom"];
    const request = { assistantId: "researcher", streamModes, feedbackKeys: ["user_score"] };
    assert.deepEqual(await asked(), { mode: "text", request: { ...request, input: { text: "Hello" } } });
    await panel.page.getByRole("button", { name: "JSON", exact: true }).click();
    const json = panel.page.getByRole("textbox", { name: "Input as JSON" });
    await json.fill("{");
    await until("it is drawn", async () => (await json.inputValue()) === "{");
    await panel.page.getByText("Line 1, column 2").waitFor();
    assert.deepEqual(await asked(), { problem: "Line 1, column 2: expected “,” or “}”" });
    await json.fill('{"messages": []}');
    await until("it is read", async () => "mode" in (await asked()));
    assert.deepEqual(await asked(), {
      mode: "json",
      request: { ...request, input: { json: { messages: [] } } },
    });
  });

  it("say so where an answer is written", async () => {
    const question: InterruptEntry = {
      ...{ kind: "interrupt", id: "q", runId: "run-1", lane: "", requests: [], state: "open", value: "All?" },
    };
    await panel.patch({ set: [question] });
    await panel.page.getByRole("textbox", { name: "Answer to the agent's question" }).fill("Yes");
    assert.deepEqual(await asked(), { problem: "it is the answer to a question, and no input of a run" });
  });

  it("have a menu that opens by keyboard and names the composer to the editor", async () => {
    await panel.page.evaluate(`addEventListener("contextmenu", ({ target }) => {
      globalThis.menuOf = target.closest("[data-vscode-context]").dataset.vscodeContext;
    })`);
    await panel.page.getByRole("button", { name: "Input Menu" }).press("Enter");
    const context = JSON.parse(await panel.page.evaluate<string>("menuOf")) as unknown;
    assert.deepEqual(context, { webviewSection: "composer", preventDefaultContextMenuItems: true });
  });
});
