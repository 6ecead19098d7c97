import { strict as assert } from "node:assert";

import type { AgentOptions, AgentSchemas } from "../../src/run/panel/agent.ts";
import { until } from "../support/until.ts";
import { conversation, idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const context = {
  type: "object",
  properties: {
    model: { enum: ["small", "large"], default: "small" },
    temperature: { type: "number", minimum: 0, maximum: 2, default: 0.2 },
  },
  required: ["model", "temperature"],
  additionalProperties: false,
};
const input = { type: "object", properties: { messages: { type: "array" } } };

describe("How an agent is run", () => {
  const panel = usePanel({ height: 1000 });

  const options = () => panel.page.getByRole("group", { name: "Options of this agent" });
  const message = () => panel.page.getByRole("textbox", { name: "Message" });
  const tell = (
    schemas: AgentSchemas,
    kept: AgentOptions = {},
    nodes?: readonly string[],
    assistantId = "researcher",
  ) =>
    panel.deliver({
      type: "agent",
      agent: { assistantId, schemas, options: kept, ...(nodes !== undefined && { nodes }) },
    });
  const opened = async (schemas: AgentSchemas, kept?: AgentOptions, nodes?: readonly string[]) => {
    await panel.show(idle, conversation);
    await tell(schemas, kept, nodes);
    await panel.page.getByRole("button", { name: "Options" }).click();
    await options().waitFor();
  };
  const sent = async () => {
    await message().fill("Hi");
    await message().press("Enter");
    return (await panel.next("start")).request;
  };

  it("belongs to the agent: another one has its own options and modes", async () => {
    await opened({ kind: "known", input }, { streamModes: ["values"], mode: "json" });
    await tell({ kind: "known", input }, { feedbackKeys: "tone" }, undefined, "echo");
    await panel.page.getByRole("textbox", { name: "Input as JSON" }).waitFor();
    assert.equal(await options().getByRole("checkbox", { name: "values" }).isChecked(), true);
    await panel.page.getByRole("combobox", { name: "Agent" }).selectOption("echo");
    await message().waitFor();
    assert.equal(await options().getByRole("checkbox", { name: "values" }).isChecked(), false);
    assert.equal(await options().getByRole("textbox", { name: "Feedback keys" }).inputValue(), "tone");
    await options().getByRole("checkbox", { name: "debug" }).check();
    const streamModes = ["messages-tuple", "updates", "custom", "debug"];
    assert.deepEqual(await panel.next("options"), {
      type: "options",
      assistantId: "echo",
      options: { streamModes },
    });
    assert.deepEqual((await sent()).streamModes, streamModes);
  });

  it("is not set back by what the host tells later", async () => {
    await opened({ kind: "asking", takesMessages: true });
    await options().getByRole("textbox", { name: "Recursion limit" }).fill("9");
    await tell({ kind: "known", input }, { recursionLimit: "3", metadata: '{"a": 1}' });
    const request = await sent();
    assert.deepEqual([request.recursionLimit, request.metadata], [9, undefined]);
  });

  it("tells the context by the fields of its schema, once they are changed", async () => {
    await opened({ kind: "known", input, context, config: context });
    assert.equal(
      await options().getByText("Configurable values").count(),
      0,
      "the server tells the same twice",
    );
    assert.equal(await options().getByLabel("model required").inputValue(), "0");
    await options().getByText("Not sent until it is changed.").waitFor();
    await options().getByLabel("model required").selectOption("large");
    await until("it is sent", async () => (await options().getByText("Not sent until").count()) === 0);
    assert.deepEqual((await sent()).context, { model: "large", temperature: 0.2 });
    await panel.deliver({ type: "accepted", request: "start" });
    await options().getByRole("button", { name: "Send None" }).click();
    await until("the box is empty", async () => (await message().inputValue()) === "");
    await message().fill("Again");
    await message().press("Enter");
    assert.equal((await panel.next("start", 1)).request.context, undefined);
  });

  it("is refused by the schema at its place, and sent only by a second word, also when it is closed", async () => {
    await opened({ kind: "known", input, context }, { context: '{"model": "huge", "temperature": 3}' });
    await panel.page.getByRole("button", { name: "Options" }).click();
    await message().fill("Hi");
    await message().press("Enter");
    await panel.page.getByText("The agent's schema refuses what it is told under Options.").waitFor();
    assert.deepEqual(await panel.posted("start"), []);
    await until(
      "both fields say why",
      async () => (await options().locator(".problem:not(:empty)").count()) === 2,
    );
    await options().getByLabel("model required").selectOption("small");
    await options().getByLabel("temperature required").fill("1");
    await message().press("Enter");
    assert.deepEqual((await panel.next("start")).request.context, { model: "small", temperature: 1 });
  });

  it("keeps on checking while a context is half typed, and after a check that failed", async () => {
    const sizes = ["depth", "height", "width"];
    const config = {
      type: "object",
      properties: Object.fromEntries(sizes.map((name) => [name, { type: "number" }])),
    };
    await panel.page.evaluate(`Worker = class extends Worker {
      constructor(address) {
        super(address);
        window.checker = this;
      }
    }`);
    await opened({ kind: "known", input, context, config });
    const refusedOf = async (name: string, count: number) => {
      await options().getByLabel(name).fill("much");
      await until(`${count} refused`, async () => {
        const problems = options().locator(".problem").getByText("must be a number");
        return (await problems.count()) === count;
      });
    };
    await refusedOf("depth", 1);
    const told = options().getByRole("group", { name: "Context" });
    await told.getByRole("button", { name: "Edit as JSON" }).click();
    await told.getByRole("textbox", { name: "Context" }).fill('{"model": "');
    await refusedOf("height", 2);
    const answer = await panel.page.evaluate(`new Promise((resolve) => {
      checker.addEventListener("message", ({ data }) => data.id === -1 && resolve(data.check));
      checker.postMessage({ id: -1, key: 1, text: "{" });
    })`);
    assert.deepEqual(answer, { unchecked: "This can't be checked: it is no JSON." });
    await panel.page.evaluate(`checker.dispatchEvent(new Event("error"))`);
    await refusedOf("width", 3);
    await told.getByRole("textbox", { name: "Context" }).fill('{"model": "huge", "temperature": 1}');
    await message().fill("Hi");
    await message().press("Enter");
    await panel.page.getByText("The agent's schema refuses what it is told under Options.").waitFor();
    assert.deepEqual(await panel.posted("start"), []);
  });

  it("takes configurable values and a context as JSON where no schema tells their fields", async () => {
    await opened({ kind: "failed", message: "No." });
    await options().getByRole("textbox", { name: "Context" }).fill('{"a": 1');
    await message().fill("Hi");
    await panel.page.getByText(/Context: Line 1, column 8/).waitFor();
    await options().getByRole("textbox", { name: "Context" }).fill('{"a": 1}');
    await options().getByRole("textbox", { name: "Configurable" }).fill('{"checkpoint_id": "x"}');
    await panel.page.getByText("“checkpoint_id” says where a run goes on").waitFor();
    await options().getByRole("textbox", { name: "Configurable" }).fill('{"user": "me"}');
    await options().getByRole("textbox", { name: "Recursion limit" }).fill("none");
    await panel.page.getByText("Recursion limit: expected a whole number above 0").waitFor();
    await options().getByRole("textbox", { name: "Recursion limit" }).fill("7");
    const { context: told, configurable, recursionLimit } = await sent();
    assert.deepEqual([told, configurable, recursionLimit], [{ a: 1 }, { user: "me" }, 7]);
  });

  it("stops at nodes of the graph, or at those that are named where nobody tells them", async () => {
    await opened({ kind: "known", input });
    assert.equal((await panel.next("nodes")).assistantId, "researcher");
    await options().getByText("nodes inside its subgraphs can't be named").waitFor();
    await options().getByRole("textbox", { name: "Stop after these nodes" }).fill("plan, write,");
    await tell({ kind: "known", input }, {}, ["plan", "search"]);
    await options().getByRole("checkbox", { name: "Stop before search" }).check();
    assert.equal(await options().getByRole("checkbox", { name: "Stop after write" }).isChecked(), true);
    await options().getByRole("checkbox", { name: "Stop after plan" }).uncheck();
    const { interruptBefore, interruptAfter } = await sent();
    assert.deepEqual([interruptBefore, interruptAfter], [["search"], ["write"]]);
    await options().getByRole("checkbox", { name: "Stop before every node" }).check();
    await panel.deliver({ type: "accepted", request: "start" });
    await until("the box is empty", async () => (await message().inputValue()) === "");
    await message().fill("Again");
    await message().press("Enter");
    assert.equal((await panel.next("start", 1)).request.interruptBefore, "*");
  });

  it("has none of that where the server runs its agents as they are", async () => {
    await opened({ kind: "undescribed" });
    assert.equal(await options().getByText("Breakpoints").count(), 0);
    assert.equal(await options().getByRole("textbox", { name: "Recursion limit" }).count(), 0);
    assert.deepEqual(await panel.posted("nodes"), []);
  });
});
