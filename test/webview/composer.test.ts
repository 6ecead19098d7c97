import { strict as assert } from "node:assert";

import { conversation, idle, streaming } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("The run panel's composer", () => {
  const panel = usePanel();

  const message = () => panel.page.getByRole("textbox", { name: "Message" });
  /** The box's text once the key's effect was drawn. */
  const afterKey = async (key: string) => {
    await message().press(key);
    await panel.settled();
    return message().inputValue();
  };

  it("shows a card for each of the first agents, and says how many more there are", async () => {
    const agents = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: String(index), name: `Agent ${String(index)}` }));
    await panel.show({ ...idle, assistants: agents(11) }, []);
    await panel.page.getByText("And 3 more, in the list of agents below.").waitFor();
    assert.equal(await panel.page.locator(".example").count(), 8);
    await panel.show({ ...idle, assistants: agents(8) }, []);
    await panel.page.getByText("more, in the list").waitFor({ state: "detached" });
    assert.equal(await panel.page.locator(".example").count(), 8);
  });

  it("starts a run by Enter alone, with the panel's defaults", async () => {
    await panel.show(idle, []);
    await panel.deliver({ type: "focusComposer" });
    await panel.page.locator("textarea:focus").waitFor();
    await panel.page.keyboard.type("Why?");
    await panel.page.keyboard.press("Shift+Enter");
    await panel.page.keyboard.type("And since when?");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.next("start")).request, {
      assistantId: "researcher",
      input: { text: "Why?\nAnd since when?" },
      streamModes: ["messages-tuple", "updates", "custom"],
      feedbackKeys: ["user_score"],
    });
  });

  it("takes the caret also when it was asked for before it was drawn", async () => {
    const { page } = panel;
    const messages = [
      { type: "snapshot", revision: 1, state: idle, entries: conversation },
      { type: "focusComposer" },
    ];
    await page.evaluate(`for (const message of ${JSON.stringify(messages)}) panelHost.deliver(message)`);
    await page.locator("textarea:focus").waitFor();
  });

  it("keeps its text on a refusal, says why beside it, and clears when the run is accepted", async () => {
    await panel.show(idle, []);
    await message().fill("Hello");
    await panel.page.keyboard.press("Enter");
    await panel.next("start");
    await panel.deliver({ type: "refused", request: "start", message: "The thread was deleted elsewhere." });
    await panel.page.getByText("The thread was deleted elsewhere.").waitFor();
    assert.equal(await message().inputValue(), "Hello");
    await message().press("Enter");
    await panel.next("start", 1);
    await panel.deliver({ type: "accepted", request: "start" });
    await until("the empty box", async () => (await message().inputValue()) === "");
    assert.equal(await panel.page.getByText("The thread was deleted elsewhere.").count(), 0);
  });

  it("sends no second request while the first is unanswered", async () => {
    await panel.show(idle, []);
    await message().fill("Once");
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Enter");
    await panel.settled();
    assert.equal((await panel.posted("start")).length, 1);
  });

  it("clears the box also when the page was reloaded before the run was accepted", async () => {
    await panel.show(idle, []);
    await message().fill("Once");
    await panel.page.keyboard.press("Enter");
    await panel.next("start");
    await panel.reload();
    await panel.show(idle, []);
    assert.equal(await message().inputValue(), "Once");
    await panel.deliver({ type: "accepted", request: "start" });
    await until("the empty box", async () => (await message().inputValue()) === "");
  });

  it("clears only what was sent: what was typed meanwhile stays", async () => {
    await panel.show(idle, []);
    await message().fill("First");
    await panel.page.keyboard.press("Enter");
    await panel.next("start");
    await message().fill("And then this");
    await panel.deliver({ type: "accepted", request: "start" });
    await panel.settled();
    assert.equal(await message().inputValue(), "And then this");
    await message().fill("");
    assert.equal(await afterKey("ArrowUp"), "First");
  });

  it("says in which line and column JSON breaks, and sends it when it is whole", async () => {
    await panel.show(idle, []);
    await panel.page.getByRole("button", { name: "JSON" }).click();
    const box = panel.page.getByRole("textbox", { name: "Input as JSON" });
    await box.fill('{\n  "seconds": 3,\n}');
    await panel.page.getByText(/Line 3, column 1: expected a name in double quotes/).waitFor();
    assert.equal(await panel.page.getByRole("button", { name: "Run", exact: true }).isDisabled(), true);
    await box.fill('{\n  "seconds": 3\n}');
    await box.press("Enter");
    assert.equal((await panel.posted("start")).length, 0, "Enter alone is a new line in JSON");
    await box.press("Control+Enter");
    assert.deepEqual((await panel.next("start")).request.input, { json: { seconds: 3 } });
  });

  it("asks what a new run does to the running one, the server's default first", async () => {
    await panel.show(streaming, conversation);
    await message().fill("Stop that");
    const radios = panel.page.getByRole("radio");
    await until("the question", async () => (await radios.count()) === 5);
    assert.equal(await radios.first().isChecked(), true);
    await panel.page.keyboard.press("Tab");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Control+Enter");
    assert.equal((await panel.next("start")).request.strategy, "interrupt");
  });

  it("sends the chosen modes, keys and metadata", async () => {
    await panel.show(idle, []);
    await panel.page.getByRole("combobox", { name: "Agent" }).selectOption("echo");
    await panel.page.getByRole("button", { name: "Options" }).click();
    await panel.page.getByRole("checkbox", { name: "values" }).check();
    await panel.page.getByRole("checkbox", { name: "custom" }).uncheck();
    await panel.page.getByRole("combobox", { name: "If a run is already going on" }).selectOption("enqueue");
    await panel.page.getByRole("textbox", { name: "Feedback keys" }).fill("liked, disliked,, liked");
    const metadata = panel.page.getByRole("textbox", { name: "Metadata" });
    await message().fill("Hi");
    await metadata.fill("[1]");
    await panel.page.getByText("expected an object").first().waitFor();
    await message().press("Enter");
    assert.equal((await panel.posted("start")).length, 0, "an array is no metadata");
    await metadata.fill('{"ticket": "OPS-1"}');
    await message().press("Enter");
    assert.deepEqual((await panel.next("start")).request, {
      assistantId: "echo",
      input: { text: "Hi" },
      streamModes: ["messages-tuple", "updates", "values"],
      metadata: { ticket: "OPS-1" },
      strategy: "enqueue",
      feedbackKeys: ["liked", "disliked"],
    });
  });

  it("recalls what was sent by the arrow keys, only from an empty box", async () => {
    await panel.show(idle, []);
    for (const text of ["first", "second"]) {
      await message().fill(text);
      await panel.page.keyboard.press("Enter");
      await panel.deliver({ type: "accepted", request: "start" });
      await until("the empty box", async () => (await message().inputValue()) === "");
    }
    const keys = ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"];
    const seen: string[] = [];
    for (const key of keys) {
      seen.push(await afterKey(key));
    }
    assert.deepEqual(seen, ["second", "first", "first", "second", ""]);
    await message().fill("my own");
    assert.equal(await afterKey("ArrowUp"), "my own");
  });

  it("recalls from the very start of what was written, and comes back to it by ↓ and by Escape", async () => {
    await panel.show(idle, []);
    await panel.deliver({
      type: "agent",
      agent: {
        ...{ assistantId: "researcher", schemas: { kind: "undescribed" }, options: {} },
        sent: [
          { mode: "text", text: "sent in\nanother thread" },
          { mode: "json", text: "{}" },
        ],
      },
    });
    const written = "two lines\nof my own";
    await message().fill(written);
    assert.equal(await afterKey("ArrowUp"), written, "the caret goes up within the text");
    await message().press("Control+Home");
    assert.equal(await afterKey("ArrowUp"), "sent in\nanother thread");
    assert.equal(await afterKey("ArrowUp"), "sent in\nanother thread", "there is nothing before it");
    await message().press("Control+End");
    assert.equal(await afterKey("ArrowDown"), written);
    await message().press("Control+Home");
    await afterKey("ArrowUp");
    assert.equal(await afterKey("Escape"), written);
    assert.equal(await afterKey("Escape"), written);
  });

  it("never sets the box back to what was typed before", async () => {
    await panel.show(idle, []);
    const seen: string[] = await panel.page.evaluate(`(async () => {
      const box = document.querySelector(".composer-input");
      box.value = "typed";
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      const values = [box.value];
      for (let turn = 0; turn < 20; turn++) {
        await Promise.resolve();
        values.push(box.value);
      }
      return values;
    })()`);
    assert.deepEqual([...new Set(seen)], ["typed"]);
    assert.deepEqual((await panel.next("start")).request.input, { text: "typed" });
  });

  it("offers each agent's example in an empty thread", async () => {
    await panel.show(idle, []);
    await panel.page.getByRole("button", { name: /approval.*Refund order 4411/ }).click();
    await until("the example", async () => (await message().inputValue()) === "Refund order 4411");
    await panel.page.keyboard.press("Enter");
    assert.equal((await panel.next("start")).request.assistantId, "approval");
  });

  it("keeps what was written when an agent's card is pressed, and replaces another's example", async () => {
    await panel.show(idle, []);
    const card = (name: string) => panel.page.locator(".example").filter({ hasText: name });
    const agent = panel.page.getByRole("combobox", { name: "Agent" });
    await card("Asks before it acts").click();
    await card("Streams its answer").click();
    await until("the other example", async () => (await message().inputValue()) === "Say it back to me");
    await message().fill("My own message");
    await card("Asks before it acts").click();
    await until("the other agent", async () => (await agent.inputValue()) === "approval");
    assert.equal(await message().inputValue(), "My own message");
  });

  it("offers the buttons that fit what goes on", async () => {
    const buttons = async () => {
      const names = await panel.page.locator(".header-actions button").allInnerTexts();
      return names.map((name) => name.trim());
    };
    const seen: Record<string, string[]> = {};
    for (const session of [
      { kind: "idle" },
      { kind: "streaming", runId: "r" },
      { kind: "reconnecting", runId: "r", attempt: 2 },
      { kind: "stopping", runId: "r" },
      { kind: "detached", runId: "r" },
    ] as const) {
      await panel.show({ ...idle, session }, conversation);
      seen[session.kind] = await buttons();
    }
    assert.deepEqual(seen, {
      idle: [],
      streaming: ["Detach", "Stop"],
      reconnecting: ["Detach", "Stop"],
      stopping: [],
      detached: ["Attach", "Stop"],
    });
    await panel.page.getByRole("button", { name: "Attach" }).click();
    await panel.next("reattach");
    await panel.show({ ...streaming, unsupported: ["stop"] }, conversation);
    assert.deepEqual(await buttons(), ["Detach"]);
  });

  it("shows why it failed above what was received, with what to do, the best first", async () => {
    const actions = [
      { title: "Set API Key", action: "setApiKey" },
      { title: "Test Connection", action: "testConnection" },
    ] as const;
    await panel.show(
      { ...idle, session: { kind: "failed", message: "The key was refused (401).", actions } },
      conversation,
    );
    await panel.page.getByRole("alert").getByText("The key was refused (401).").waitFor();
    const alert = panel.page.getByRole("alert");
    assert.deepEqual(await alert.getByRole("button").allTextContents(), ["Set API Key", "Test Connection"]);
    await alert.getByRole("button", { name: "Test Connection" }).click();
    assert.equal((await panel.next("remedy")).action, "testConnection");
    await until("the transcript", async () => (await panel.page.locator("[data-row]").count()) > 3);
  });

  it("shows a refusal of another request until it is dismissed", async () => {
    await panel.show(streaming, conversation);
    await panel.page.getByRole("button", { name: "Stop" }).click();
    await panel.next("stop");
    await panel.deliver({ type: "refused", request: "stop", message: "The run has already ended." });
    await panel.page.getByText("The run has already ended.").waitFor();
    await panel.page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await panel.page.getByText("The run has already ended.").count(), 0);
  });
});
