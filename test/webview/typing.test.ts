import { strict as assert } from "node:assert";

import type { Locator } from "playwright-core";

import type { FeedbackEntry, InterruptEntry, MessageEntry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
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

  const filler = (count: number) => "A line.\n\n".repeat(count);
  const fromEnd = () =>
    panel.page
      .locator(".scroller")
      .evaluate(
        (list: { scrollHeight: number; scrollTop: number; clientHeight: number }) =>
          list.scrollHeight - list.scrollTop - list.clientHeight,
      );
  const later = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...answer, id: `later-${at}`, text: filler(20) }));

  it("keeps the box of an answer in sight while other rows stream on, until it is sent", async () => {
    await panel.show(streaming, [{ ...answer, id: "before", text: filler(60) }, free, answer]);
    const box = panel.page.getByRole("textbox", { name: "Answer", exact: true });
    await until("the end", async () => (await fromEnd()) < 2);
    await box.focus();
    await panel.page.keyboard.type("eu");
    await panel.patch({ append: [{ id: "answer", text: filler(2) }] });
    await until("what fits below the box is followed", async () => (await fromEnd()) < 2);
    await panel.patch({ append: [{ id: "answer", text: filler(60) }], set: later(8) });
    await panel.page.getByRole("button", { name: /Jump to Latest/ }).waitFor();
    await panel.page.keyboard.type("-west");
    assert.equal(await box.inputValue(), "eu-west");
    const [{ y }, list] = [
      (await box.boundingBox())!,
      (await panel.page.locator(".scroller").boundingBox())!,
    ];
    assert.ok(y >= list.y && y < list.y + list.height, "it is in sight");
    await panel.page.keyboard.press("Enter");
    assert.equal((await panel.next("resume")).value, "eu-west");
    await panel.patch({ set: [{ ...free, state: "sending" }] });
    await panel.deliver({ type: "accepted", request: "resume" });
    await panel.page.getByRole("button", { name: /Jump to Latest/ }).waitFor({ state: "detached" });
    await panel.patch({ set: [{ ...free, state: "answered", answer: "eu-west" }, ...later(12).slice(8)] });
    await until("the end again", async () => (await fromEnd()) < 2);
  });

  it("leaves the focus on what was pressed, although the list follows its end", async () => {
    const pressed = { ...answer, id: "pressed", streaming: false, text: "Short." };
    await panel.show(streaming, [{ ...answer, id: "before", text: filler(60) }, pressed, answer]);
    await until("the end", async () => (await fromEnd()) < 2);
    const copy = panel.page.locator('[data-row="pressed"]').getByRole("button", { name: "Copy Message" });
    await copy.press("Enter");
    for (const count of [4, 8, 12, 16]) {
      await panel.patch({ append: [{ id: "answer", text: filler(20) }], set: later(count) });
      await until("the end again", async () => (await fromEnd()) < 2);
    }
    assert.equal(
      await panel.page.evaluate("document.activeElement.closest('[data-row]').dataset.row"),
      "pressed",
    );
    assert.ok((await copy.boundingBox())!.y < -1000, "far above");
    assert.equal(await panel.page.getByRole("button", { name: /Jump to Latest/ }).count(), 0);
    await panel.page.getByRole("textbox", { name: "Message" }).focus();
    await copy.waitFor({ state: "detached" });
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
