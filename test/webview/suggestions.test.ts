import { strict as assert } from "node:assert";

import type { Json } from "../../src/run/panel/messages.ts";
import { until } from "../support/until.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const drafts: Json = {
  type: "object",
  additionalProperties: false,
  required: ["topic"],
  properties: {
    topic: { type: "string", description: "What the text is about" },
    audience: { type: "string", enum: ["children", "engineers", "everyone"] },
    rounds: { type: "integer", default: 2 },
    final: { type: "boolean" },
  },
};

describe("What the schema suggests in the JSON of an input", () => {
  const panel = usePanel({ width: 400 });
  const box = () => panel.page.getByRole("textbox", { name: "Input as JSON" });
  const list = () => panel.page.getByRole("listbox", { name: "Suggestions" });
  const names = () => list().locator(".suggestion-name").allInnerTexts();
  const chosen = () => list().locator("[aria-selected=true] .suggestion-name").innerText();

  beforeEach(async () => {
    await panel.show(idle, []);
    const schemas = { kind: "known", input: drafts } as const;
    await panel.deliver({ type: "agent", agent: { assistantId: "researcher", schemas, options: {} } });
    await panel.page.getByRole("button", { name: "JSON" }).click();
    await box().fill("{}");
    await box().press("Home");
    await box().press("ArrowRight");
  });

  it("is chosen by keys alone, names and values, and written with what it begins with", async () => {
    await box().press("Control+Space");
    assert.deepEqual(await names(), ["topic", "audience", "rounds", "final"]);
    assert.match(await list().innerText(), /required · What the text is about/);
    await until("the number is announced", async () =>
      (await panel.page.getByRole("status").allInnerTexts()).includes("4 suggestions"),
    );
    assert.equal(await box().getAttribute("aria-activedescendant"), "suggestions-0");
    await box().press("ArrowUp");
    assert.equal(await chosen(), "final");
    await box().press("ArrowDown");
    await box().press("ArrowDown");
    assert.equal(await chosen(), "audience");
    assert.equal(await box().getAttribute("aria-activedescendant"), "suggestions-1");
    await box().press("Enter");
    await until("it is written", async () => (await box().inputValue()) === '{"audience": }');
    assert.deepEqual(await panel.posted("start"), []);
    await until("its values follow", async () => (await names())[0] === "children");
    assert.deepEqual(await names(), ["children", "engineers", "everyone"]);
    await box().press("ArrowDown");
    await box().press("Tab");
    await until("it is written", async () => (await box().inputValue()) === '{"audience": "engineers"}');
    assert.equal(await panel.page.evaluate("document.activeElement.tagName"), "TEXTAREA");
  });

  it("follows what is typed from a quotation mark on, and goes where nothing fits", async () => {
    await panel.page.keyboard.type('"');
    assert.equal((await names()).length, 4);
    await panel.page.keyboard.type("ro");
    assert.deepEqual(await names(), ["rounds"]);
    await panel.page.keyboard.type("x");
    await list().waitFor({ state: "detached" });
    assert.equal(await box().getAttribute("aria-activedescendant"), null);
  });

  it("is left by Escape, by a caret that goes elsewhere and with the box, and taken by a click", async () => {
    for (const leave of ["Escape", "Home"]) {
      await box().press("Control+Space");
      await list().waitFor();
      await box().press(leave);
      await list().waitFor({ state: "detached" });
    }
    await box().press("ArrowRight");
    await box().press("Control+Space");
    await panel.page.getByRole("combobox", { name: "Agent" }).focus();
    await list().waitFor({ state: "detached" });
    await box().focus();
    await box().press("Control+Space");
    await list().getByRole("option", { name: "rounds" }).click();
    await until("it is written", async () => (await box().inputValue()) === '{"rounds": 2}');
  });

  it("is nothing in a message, in an answer and where the schema is not known", async () => {
    await panel.deliver({
      type: "agent",
      agent: { assistantId: "researcher", schemas: { kind: "failed", message: "No." }, options: {} },
    });
    await panel.page.getByText("could not be read").waitFor();
    await box().press("Control+Space");
    await panel.settled();
    assert.equal(await list().count(), 0);
    assert.equal(await box().getAttribute("aria-autocomplete"), null);
  });
});
