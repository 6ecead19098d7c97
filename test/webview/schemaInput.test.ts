import { strict as assert } from "node:assert";

import type { AgentSchemas } from "../../src/run/panel/agent.ts";
import type { Json, JsonObject } from "../../src/run/panel/messages.ts";
import { until } from "../support/until.ts";
import { conversation, idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

/** What the graph `drafts` of the real server takes. */
const drafts: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  required: ["topic"],
  properties: {
    topic: { type: "string", minLength: 3, maxLength: 80, description: "What the text is about" },
    audience: { type: "string", enum: ["children", "engineers", "everyone"], default: "everyone" },
    rounds: { type: "integer", minimum: 1, maximum: 5, default: 2 },
    tags: { type: "array", items: { type: "string" }, maxItems: 4, default: [] },
  },
};
const messages: Json = {
  type: "object",
  properties: { messages: { type: "array", items: { type: "object" } } },
  required: ["messages"],
};

describe("The input of an agent whose schema is known", () => {
  const panel = usePanel();

  const json = () => panel.page.getByRole("textbox", { name: "Input as JSON" });
  const message = () => panel.page.getByRole("textbox", { name: "Message" });
  const modes = () => panel.page.getByRole("group", { name: "Input as" }).getByRole("button").allInnerTexts();
  const problems = () => panel.page.locator(".problem-place").allInnerTexts();
  const tell = (schemas: AgentSchemas, assistantId = "researcher") =>
    panel.deliver({ type: "agent", agent: { assistantId, schemas, options: {} } });
  /** Presses Enter, and has the server's answer arrive right behind it. */
  const enterBefore = async (text: string, schemas: AgentSchemas) => {
    await message().fill(text);
    const told = { type: "agent", agent: { assistantId: "researcher", schemas, options: {} } };
    await panel.page.evaluate(`(() => {
      const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
      document.querySelector(".composer-input").dispatchEvent(enter);
      panelHost.deliver(${JSON.stringify(told)});
    })()`);
  };
  const knows = async (input: Json, mode?: "JSON") => {
    await panel.show(idle, []);
    await tell({ kind: "known", input });
    if (mode !== undefined) await panel.page.getByRole("button", { name: mode }).click();
  };

  it("is asked for when the agent is chosen, and again after a failure", async () => {
    await panel.show(idle, []);
    assert.equal((await panel.next("agent")).assistantId, "researcher");
    await panel.page.getByRole("combobox", { name: "Agent" }).selectOption("echo");
    assert.equal((await panel.next("agent", 1)).assistantId, "echo");
    await tell({ kind: "failed", message: "The server failed (500)." }, "echo");
    await panel.page.getByRole("button", { name: "JSON" }).click();
    await panel.page.getByText("The server failed (500).").waitFor();
    await panel.page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(await panel.next("agent", 2), { type: "agent", assistantId: "echo", again: true });
  });

  it("has no text mode where messages mean nothing to it, and is filled with its defaults", async () => {
    await knows(drafts, "JSON");
    assert.deepEqual(await modes(), ["Form", "JSON"]);
    const value = { topic: "", audience: "everyone", rounds: 2, tags: [] };
    assert.deepEqual(JSON.parse(await json().inputValue()), value);
    assert.deepEqual(await problems(), [], "what nobody has touched is not complained about");
    await json().fill('{"topic": "Tides"}');
    await json().press("Control+Enter");
    assert.deepEqual((await panel.next("start")).request.input, { json: { topic: "Tides" } });
    await panel.deliver({ type: "accepted", request: "start" });
    await panel.settled();
    assert.equal(await json().inputValue(), '{"topic": "Tides"}', "it stays, to be changed and sent again");
  });

  it("keeps the text mode where it takes messages, or where its schema does not say", async () => {
    for (const input of [messages, {}, true, { type: "object" }]) {
      await knows(input);
      await message().waitFor();
      assert.deepEqual(await modes(), ["Text", "JSON"]);
    }
  });

  it("is a message in JSON where a message was typed", async () => {
    await knows(messages);
    await message().fill("Why?");
    await panel.page.getByRole("button", { name: "JSON" }).click();
    assert.deepEqual(JSON.parse(await json().inputValue()), {
      messages: [{ role: "user", content: "Why?" }],
    });
    await json().press("Control+Enter");
    await panel.next("start");
    await panel.deliver({ type: "accepted", request: "start" });
    await until("the box is as it was", async () => !(await json().inputValue()).includes("Why?"));
  });

  it("is marked at its place where the schema refuses it, and sent only by a second word", async () => {
    await knows(drafts, "JSON");
    await json().fill('{\n  "topc": "Tides",\n  "rounds": 9\n}');
    await until("three problems", async () => (await problems()).length === 3);
    const [missing, unknown, large] = (await problems()).map((line) => line.trim());
    assert.equal(missing, "Line 1: topic is missing");
    assert.match(unknown ?? "", /^Line 3: rounds must be at most 5|^Line 2: topc is not a field/);
    assert.match(`${unknown} ${large}`, /Line 2: topc is not a field of this schema; known are “topic”/);
    await json().press("Control+Enter");
    await panel.page.getByRole("alert").getByText("The agent's schema refuses this input.").waitFor();
    assert.deepEqual(await panel.posted("start"), []);
    await panel.page.locator(".problem-place", { hasText: "rounds must" }).press("Enter");
    const selected = "getSelection().toString()";
    assert.equal(await panel.page.evaluate(selected), "9");
    await panel.page.getByRole("button", { name: "Send Anyway" }).press("Enter");
    assert.deepEqual((await panel.next("start")).request.input, { json: { topc: "Tides", rounds: 9 } });
  });

  it("is checked before it is sent, however fast that is", async () => {
    await knows(drafts, "JSON");
    await json().waitFor();
    await panel.page.evaluate(`(() => {
      const box = document.querySelector(".composer-input");
      box.value = '{"topic": 7}';
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      for (const _ of [1, 2]) box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
    })()`);
    await panel.page.getByRole("button", { name: "Send Anyway" }).waitFor();
    await until(
      "its problem is said",
      async () => (await problems()).join() === "Line 1: topic must be text",
    );
    assert.deepEqual(await panel.posted("start"), []);
  });

  it("is held as text for a moment, in which it may be told that the agent takes messages, and sent once", async () => {
    await panel.show(idle, []);
    await tell({ kind: "asking" });
    await panel.page.getByText("Asking the server what this agent takes.").waitFor();
    await panel.show({ ...idle, paused: { words: "paused in plan, planner.mts:9", isHere: false } }, []);
    await panel.page.getByText("The server is paused in plan, planner.mts:9, and tells what").waitFor();
    assert.equal(await panel.page.getByText("Asking the server").count(), 0);
    await panel.show(idle, []);
    await enterBefore("Hello", { kind: "known", input: messages });
    assert.deepEqual((await panel.next("start")).request.input, { text: "Hello" });
    assert.equal((await panel.posted("start")).length, 1);
  });

  it("is sent as text where nobody says in time whether the agent takes messages; if not, that is said afterwards", async () => {
    await panel.show(idle, conversation);
    await tell({ kind: "asking" });
    await message().fill("Hello");
    await message().press("Enter");
    assert.deepEqual((await panel.next("start")).request.input, { text: "Hello" });
    await panel.deliver({ type: "accepted", request: "start" });
    await until("the box is empty", async () => (await message().inputValue()) === "");
    assert.equal(await panel.page.getByText("takes no messages").count(), 0);
    await panel.reload();
    await panel.show(idle, conversation);
    await tell({ kind: "known", input: drafts });
    await panel.page
      .getByText("researcher takes no messages, so what you sent did not reach it: “Hello”")
      .waitFor();
    await panel.page.getByRole("button", { name: "Discard" }).click();
    await panel.page.getByText("takes no messages").waitFor({ state: "detached" });
    assert.equal((await panel.posted("start")).length, 0, "sent again");
  });

  it("is not sent as text to an agent that turns out in time to take none, and is not lost", async () => {
    await panel.show(idle, conversation);
    await tell({ kind: "asking" });
    await enterBefore("Hello", { kind: "known", input: drafts });
    await panel.page.getByText("researcher takes no messages, so this is not sent: “Hello”").waitFor();
    assert.deepEqual(await panel.posted("start"), []);
    await panel.page.getByRole("button", { name: "Discard" }).click();
    await panel.page.getByText("takes no messages").waitFor({ state: "detached" });
  });

  it("is sent as text at once where an earlier answer said that it takes messages", async () => {
    await panel.show(idle, []);
    await tell({ kind: "asking", takesMessages: true });
    await message().fill("Hello");
    await message().press("Enter");
    await panel.next("start");
  });

  it("can be sent where its schema takes too long to check, or is none that can be checked", async () => {
    const slow: Json = { type: "object", properties: { name: { type: "string", pattern: "^(a+)+$" } } };
    const circle: Json = { type: "object", properties: { name: { $ref: "#/properties/name" } } };
    for (const [input, said] of [
      [circle, /refers to itself without end/],
      [slow, /takes too long/],
    ] as const) {
      await knows(input, "JSON");
      await json().fill(JSON.stringify({ name: `${"a".repeat(40)}!` }));
      await panel.page.getByText(said).waitFor();
      const before = (await panel.posted("start")).length;
      await json().press("Control+Enter");
      await panel.next("start", before);
      await panel.deliver({ type: "accepted", request: "start" });
    }
  });

  it("is written, suggested and checked by a schema of 5 MB", async () => {
    const about = "What is said of it. ".repeat(12);
    const many = Array.from({ length: 20_000 }, (_, at) => [
      `field${at}`,
      { type: "string", description: about },
    ]);
    const schema: Json = {
      ...drafts,
      properties: { topic: { $ref: "#/$defs/field7" }, other: { $ref: "#/$defs/all" } },
      $defs: {
        ...(Object.fromEntries(many) as JsonObject),
        all: { properties: Object.fromEntries(many) as Json },
      },
    };
    assert.ok(JSON.stringify(schema).length > 5_000_000);
    await knows(schema, "JSON");
    await json().fill('{"topic": "Tides", "other": { }}');
    for (const key of ["End", "ArrowLeft", "ArrowLeft", "Control+Space"]) await json().press(key);
    await panel.page.getByRole("option", { name: "field0" }).waitFor();
    await json().press("Escape");
    await json().fill('{"topic": 7}');
    await until("it is refused", async () => (await problems()).join().includes("topic must be text"));
    await json().fill('{"topic": "Tides"}');
    await json().press("Control+Enter");
    assert.deepEqual((await panel.next("start")).request.input, { json: { topic: "Tides" } });
  });

  it("takes 200 kB that were pasted, and checks them", async () => {
    await knows(drafts, "JSON");
    const topic = "x".repeat(200_000);
    await json().fill(JSON.stringify({ topic }));
    await until("what is too long is said", async () => (await problems()).join().includes("at most 80"));
    await json().fill(JSON.stringify({ topic: "Tides", tags: Array(40_000).fill(3) }));
    await until("the list is told of", async () => (await problems()).join().includes("tags"));
    await json().fill(JSON.stringify({ topic: "Tides", tags: Array(99).fill(3) }));
    await panel.page.getByText("And 95 more.").waitFor();
    assert.equal((await problems()).length, 5);
  });
});
