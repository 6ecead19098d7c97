import { strict as assert } from "node:assert";

import type { Json } from "../../src/run/panel/messages.ts";
import { until } from "../support/until.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

describe("The form of an agent's input", () => {
  const panel = usePanel({ height: 1000 });

  const form = () => panel.page.getByRole("group", { name: "Input", exact: true });
  const field = (name: string) => form().getByLabel(name, { exact: true });
  const press = (name: string) => form().getByRole("button", { name }).press("Enter");
  const said = async () => (await form().locator(".problem").allInnerTexts()).map((line) => line.trim());
  const shows = async (properties: Readonly<Record<string, Json>>, required: readonly string[] = []) => {
    await panel.show(idle, []);
    const input = { type: "object", properties, required };
    await panel.deliver({
      type: "agent",
      agent: { assistantId: "researcher", schemas: { kind: "known", input }, options: {} },
    });
    await form().waitFor();
  };
  /** The input that the form comes to. */
  const sent = async () => {
    const before = (await panel.posted("start")).length;
    await panel.page.keyboard.press("Control+Enter");
    const { input } = (await panel.next("start", before)).request;
    await panel.deliver({ type: "accepted", request: "start" });
    await until(
      "the answer is there",
      async () => await panel.page.getByRole("button", { name: "Run", exact: true }).isEnabled(),
    );
    return "json" in input ? input.json : input;
  };

  it("is filled in by keyboard alone, and comes to JSON", async () => {
    const orders = {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "integer" }, urgent: { type: "boolean" } },
        required: ["id", "urgent"],
      },
    };
    await shows(
      {
        topic: { type: "string", description: "What it is about" },
        audience: { enum: ["children", "engineers"] },
        rounds: { type: "integer", default: 2 },
        tags: { type: "array", items: { type: "string" }, maxItems: 1 },
        orders,
      },
      ["topic"],
    );
    await panel.deliver({ type: "focusComposer" });
    await panel.page.locator(".schema-form textarea:focus").waitFor();
    await panel.page.keyboard.type("Tides");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Control+A");
    await panel.page.keyboard.type("3");
    await press("Add to tags");
    await panel.page.locator(".schema-item textarea:focus").waitFor();
    await panel.page.keyboard.type("sea");
    await until("a list that is full", () =>
      form().getByRole("button", { name: "Add to tags" }).isDisabled(),
    );
    await press("Add to orders");
    await panel.page.locator(".schema-item input:focus").waitFor();
    await panel.page.keyboard.type("7");
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("Space");
    const value = {
      topic: "Tides",
      audience: "engineers",
      rounds: 3,
      tags: ["sea"],
      orders: [{ id: 7, urgent: true }],
    };
    const input = await sent();
    assert.deepEqual(input, value);
    await press("Remove tags 1");
    assert.deepEqual(await sent(), { ...value, tags: [] });
    await panel.page.getByRole("button", { name: "JSON" }).click();
    const json = panel.page.getByRole("textbox", { name: "Input as JSON" });
    assert.deepEqual(JSON.parse(await json.inputValue()), { ...value, tags: [] });
    await json.fill('{"topic": "Moons"}');
    await panel.page.getByRole("button", { name: "Form" }).click();
    assert.equal(await field("topic required").inputValue(), "Moons");
  });

  it("sends no other number than the one that was typed", async () => {
    await shows({ order: { type: "integer" }, share: { type: "number" }, extra: {} });
    const run = panel.page.getByRole("button", { name: "Run", exact: true });
    await field("order").fill("12345678901234567890");
    await until("it says why", async () =>
      (await said()).includes("It has more digits than can be sent as a number, or is too large."),
    );
    assert.equal(await field("order").inputValue(), "12345678901234567890");
    await until("it can't be run", () => run.isDisabled());
    await field("order").fill("123456789012");
    await field("share").fill("0.1234567890123456789");
    await field("extra").fill('{"id": 12345678901234567890}');
    await until("it says why there, too", async () =>
      (await said()).some((line) => line.startsWith("Line 1, column 8: this number has more digits")),
    );
    await until("it can't be run", () => run.isDisabled());
    await field("extra").fill('{"id": "12345678901234567890"}');
    await until("nothing is refused", async () => (await said()).length === 0);
    assert.deepEqual(await sent(), {
      order: 123456789012,
      share: 0.12345678901234568,
      extra: { id: "12345678901234567890" },
    });
  });

  it("takes out what was emptied, unless it is required or may be null", async () => {
    await shows(
      {
        name: { type: "string" },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        limit: { type: "number" },
        score: { type: "number" },
        dry: { type: "boolean" },
        tone: { type: "object", properties: { formal: { type: "boolean", default: true } } },
      },
      ["name", "score"],
    );
    await field("name required").fill("x");
    await field("note").fill("y");
    await field("limit").fill("-1.5e3");
    await field("score required").fill("1");
    await field("dry").selectOption("true");
    await press("Add tone");
    await field("formal").selectOption("false");
    const whole = { name: "x", note: "y", limit: -1500, score: 1, dry: true, tone: { formal: false } };
    assert.deepEqual(await sent(), whole);
    await field("note").fill("");
    await field("limit").fill("");
    await field("dry").selectOption("not set");
    await press("Remove tone");
    assert.deepEqual(await sent(), { name: "x", note: null, score: 1 });
    await field("score required").fill("");
    await panel.page.keyboard.press("Control+Enter");
    await panel.page.getByRole("button", { name: "Send Anyway" }).waitFor();
    assert.deepEqual(await said(), ["must be a number"]);
  });

  it("keeps a number as it is typed, and a text that is none is refused at its place", async () => {
    await shows({ share: { type: "number" } });
    await field("share").pressSequentially("1.50");
    assert.equal(await field("share").inputValue(), "1.50");
    assert.deepEqual(await sent(), { share: 1.5 });
    await field("share").fill("a lot");
    await panel.page.keyboard.press("Tab");
    await until("the refusal", async () => (await said()).length > 0);
    assert.deepEqual(await said(), ["must be a number"]);
    assert.equal(await field("share").inputValue(), "a lot");
    assert.equal(await field("share").getAttribute("aria-invalid"), "true");
  });

  it("complains of a field only once somebody was in it, or wanted to send", async () => {
    const text = { type: "string", minLength: 3 };
    await shows({ first: text, second: text, third: { type: "object", additionalProperties: false } }, [
      "first",
      "second",
    ]);
    await field("first required").fill("ab");
    await panel.page.keyboard.press("Tab");
    await until("one complaint", async () => (await said()).length === 1);
    await panel.page.keyboard.press("Control+Enter");
    await panel.page.getByRole("button", { name: "Send Anyway" }).waitFor();
    assert.equal((await said()).length, 2);
    await panel.page.locator("[aria-invalid=true]:focus").waitFor();
    await field("first required").fill("abc");
    await field("second required").fill("abc");
    await until("no complaint", async () => (await said()).length === 0);
    assert.deepEqual(await sent(), { first: "abc", second: "abc" });
  });

  it("has a box for JSON where no control fits, and sends nothing while that is broken", async () => {
    await shows({ extra: {}, either: { anyOf: [{ type: "string" }, { type: "integer" }] } });
    await field("extra").fill('{"a": ');
    await panel.page.getByText("extra: Line 1, column 7: expected a value").waitFor();
    assert.equal(await panel.page.getByRole("button", { name: "Run", exact: true }).isDisabled(), true);
    await panel.page.keyboard.press("Control+Enter");
    await panel.settled();
    assert.deepEqual(await panel.posted("start"), []);
    await field("extra").fill('{"a": 12}');
    await field("either").fill("7");
    assert.deepEqual(await sent(), { extra: { a: 12 }, either: 7 });
    await field("extra").fill("");
    assert.deepEqual(await sent(), { either: 7 });
  });

  it("keeps what is half typed at its item of a list, and goes with it", async () => {
    await shows({ parts: { type: "array", items: {} }, extra: {} });
    const run = panel.page.getByRole("button", { name: "Run", exact: true });
    const texts = () =>
      form()
        .locator(".schema-item textarea")
        .evaluateAll((boxes) => boxes.map(({ value }) => value as string));
    for (const [index, text] of ['{"a": ', "null", '"kept"', '{"b": '].entries()) {
      await press("Add to parts");
      await field(`parts ${index + 1}`).fill(text);
    }
    const focused = async (label: string) => {
      const active = "document.activeElement.ariaLabel ?? document.activeElement.innerText.trim()";
      await until(label, async () => (await panel.page.evaluate(active)) === label);
    };
    await press("Remove parts 1");
    await focused("Remove parts 1");
    await until("the others are as they were", async () => (await texts()).join() === 'null,"kept",{"b": ');
    await panel.page.getByText("parts.2: Line 1, column 7: expected a value").waitFor();
    await press("Remove parts 3");
    await focused("Add to parts");
    await until("nothing is broken", () => run.isEnabled());
    assert.deepEqual(await sent(), { parts: [null, "kept"] });
    await field("parts 2").fill('{"c": ');
    await panel.deliver({
      type: "fill",
      assistantId: "researcher",
      input: { mode: "json", text: '{"parts": [1, 2]}' },
      options: { mode: "form" },
    });
    await until("the saved input", async () => (await texts()).join() === "1,2");
    assert.deepEqual(await sent(), { parts: [1, 2] });
  });

  it("has a field for what is said to an agent that takes messages and more", async () => {
    await panel.show(idle, []);
    const input = {
      type: "object",
      properties: { messages: { type: "array" }, seconds: { type: "number" } },
    };
    await panel.deliver({
      type: "agent",
      agent: { assistantId: "researcher", schemas: { kind: "known", input }, options: {} },
    });
    await panel.page.getByRole("textbox", { name: "Message" }).fill("Wait");
    await panel.page.getByRole("button", { name: "Form" }).click();
    assert.equal(await field("messages").inputValue(), "Wait");
    await field("messages").fill("Wait a little");
    await field("seconds").fill("2");
    const messages = [{ role: "user", content: "Wait a little" }];
    assert.deepEqual(await sent(), { messages, seconds: 2 });
    assert.equal(await field("messages").inputValue(), "", "a message goes once it was sent");
  });

  it("shows the first items of a long list, and what is not of the schema's kind as JSON", async () => {
    await shows({
      ids: { type: "array", items: { type: "integer" } },
      tone: { type: "object", properties: { a: {} } },
    });
    await panel.page.getByRole("button", { name: "JSON" }).click();
    const json = panel.page.getByRole("textbox", { name: "Input as JSON" });
    await json.fill(JSON.stringify({ ids: Array.from({ length: 20_000 }, (_, id) => id), tone: 3 }));
    await panel.page.getByRole("button", { name: "Form" }).click();
    await form().getByText("And 19950 more, which can be edited as JSON.").waitFor();
    assert.equal(await field("ids 50").inputValue(), "49");
    assert.equal(await field("tone").inputValue(), "3");
    await panel.page.getByRole("button", { name: "JSON" }).click();
    await json.fill("[1]");
    await panel.page.getByRole("button", { name: "Form" }).click();
    assert.equal(await form().getByRole("textbox").inputValue(), "[\n  1\n]");
  });

  it("shows letter by letter what a schema calls things", async () => {
    await shows({ "safe\u202Eevil": { type: "string", description: "<img src=x onerror=alert(1)>\u202E" } });
    assert.equal(await form().locator("img").count(), 0);
    assert.equal(await form().locator(".hidden-character").count(), 2);
  });
});
