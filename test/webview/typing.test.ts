import { strict as assert } from "node:assert";

import type { Locator } from "playwright-core";

import type { FeedbackEntry, InterruptEntry, MessageEntry } from "../../src/run/panel/transcript.ts";
import { approval, idle, streaming } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const slowdown = 8;
const words = "typed in haste";

describe("Typing in a run panel that hardly keeps up", () => {
  const panel = usePanel({ height: 1200 });

  const two = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
  const free: InterruptEntry = { ...two, id: "free", requests: [], value: { question: "Which region?" } };
  const answer: MessageEntry = {
    kind: "message",
    id: "answer",
    lane: "",
    role: "ai",
    text: "",
    streaming: true,
  };
  const feedback: FeedbackEntry = {
    kind: "feedback",
    id: "f",
    runId: "run-1",
    lane: "",
    keys: [{ key: "liked", state: "open" }],
  };
  const named = (name: string) => panel.page.getByRole("textbox", { name });

  /** Types without a pause into a page slowed down, while tokens come in. */
  const typed = async (box: Locator, text: string) => {
    const session = await panel.page.context().newCDPSession(panel.page);
    await box.fill("");
    await box.focus();
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    const keys = panel.page.keyboard.type(text);
    for (let token = 0; token < 5; token++) await panel.patch({ append: [{ id: "answer", text: "token " }] });
    await keys;
    await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await panel.settled();
    return box.inputValue();
  };

  it("loses no key of a comment, a correction or metadata", async () => {
    await panel.show(streaming, [answer, feedback]);
    await panel.page.getByRole("button", { name: "Good (liked)" }).click();
    assert.equal(await typed(named("Comment (liked)"), words), words);
    await panel.page.getByRole("button", { name: "More Fields" }).click();
    assert.equal(await typed(named("Correction"), words), words);
    assert.equal(await typed(named("Metadata"), words), words);
    assert.equal(await typed(panel.page.getByRole("spinbutton", { name: "Score" }), "-0.125"), "-0.125");
    assert.equal(await named("Comment (liked)").inputValue(), words);
  });

  it("loses no key of an answer, of edited arguments or of a reason", async () => {
    await panel.show(streaming, [answer, free, two]);
    assert.equal(await typed(panel.page.getByRole("textbox", { name: "Answer", exact: true }), words), words);
    const [first, second] = [panel.page.locator(".request").nth(0), panel.page.locator(".request").nth(1)];
    await first.getByRole("button", { name: "Edit" }).click();
    assert.equal(await typed(first.getByRole("textbox").first(), words), words);
    await first.getByRole("button", { name: "JSON" }).click();
    assert.equal(await typed(named("Edited arguments"), words), words);
    await second.getByRole("button", { name: "Respond" }).click();
    assert.equal(await typed(named("Response"), words), words);
    assert.equal(await named("Edited arguments").inputValue(), words);
  });

  it("loses no key of a message or of its options", async () => {
    await panel.show(streaming, [answer]);
    assert.equal(await typed(named("Message"), words), words);
    await panel.page.getByRole("button", { name: "Options" }).click();
    assert.equal(await typed(named("Feedback keys"), words), words);
    assert.equal(await typed(named("Metadata"), words), words);
  });

  it("loses no key of a search", async () => {
    await panel.show({ ...idle, events: 10 }, [answer]);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    assert.equal(await typed(panel.page.getByRole("searchbox"), words), words);
  });
});
