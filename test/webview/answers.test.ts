import { strict as assert } from "node:assert";

import type { FeedbackEntry, InterruptEntry } from "../../src/run/panel/transcript.ts";
import { approval, idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("The run panel's interrupt cards and feedback", () => {
  const panel = usePanel({ height: 1100 });

  const two = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
  const one: InterruptEntry = { ...two, requests: two.requests.slice(0, 1) };
  const free: InterruptEntry = { ...two, requests: [], value: { question: "Which region?" } };
  const feedback: FeedbackEntry = {
    kind: "feedback",
    id: "f",
    runId: "run-1",
    lane: "",
    keys: [
      { key: "liked", state: "open" },
      { key: "disliked", state: "open" },
    ],
  };

  it("sends all decisions together, in the order they were asked", async () => {
    await panel.show(idle, [two]);
    const [first, second] = [panel.page.locator(".request").nth(0), panel.page.locator(".request").nth(1)];
    await second.getByRole("button", { name: "Respond" }).click();
    await second.getByRole("textbox", { name: "Response" }).fill("Post it in #ops");
    const send = panel.page.getByRole("button", { name: "Send 2 Decisions" });
    assert.equal(await send.isDisabled(), true);
    await first.getByRole("button", { name: "Edit" }).click();
    await first.getByRole("button", { name: "JSON" }).click();
    const args = first.getByRole("textbox", { name: "Edited arguments" });
    await args.fill('{"to_revision": ');
    await first.getByText(/Line 1, column 17: expected a value/).waitFor();
    assert.equal(await send.isDisabled(), true);
    await args.fill('{"to_revision": "r-202"}');
    await send.click();
    assert.deepEqual(await panel.next("decide"), {
      type: "decide",
      interruptId: "i-1",
      decisions: [
        { type: "edit", edited_action: { name: "roll_back", args: { to_revision: "r-202" } } },
        { type: "respond", message: "Post it in #ops" },
      ],
    });
  });

  it("offers no answer where none is taken, and says what to do instead", async () => {
    const unsupported = ["answer"] as const;
    for (const asked of [two, one, free]) {
      await panel.show(idle, [asked]);
      const controls = panel.page.locator(".interrupt").getByRole("button", { name: /^(Approve|Send)/ });
      assert.notEqual(await controls.count(), 0);
      await panel.deliver({ type: "state", state: { ...idle, unsupported } });
      await panel.page.getByText("This server takes no answers. Start another run to go on.").waitFor();
      assert.equal(await controls.count(), 0);
      const failed = { ...asked, state: "failed", answer: "It does not know the command." } as const;
      await panel.patch({ set: [failed] });
      await panel.page.getByRole("alert").getByText("It does not know the command.").waitFor();
    }
  });

  it("sends the approval of a single action at once, and offers only what is allowed", async () => {
    await panel.show(idle, [one]);
    assert.deepEqual(await panel.page.locator(".choices button").allInnerTexts(), [
      "Approve",
      "Edit",
      "Reject",
    ]);
    await panel.page.getByRole("button", { name: "Approve" }).click();
    await panel.page.getByRole("button", { name: "Approve" }).click();
    assert.deepEqual((await panel.next("decide")).decisions, [{ type: "approve" }]);
    assert.equal((await panel.posted("decide")).length, 1, "a second click sends nothing");
    await panel.deliver({ type: "refused", request: "decide", message: "The thread is busy." });
    await panel.page.getByText("The thread is busy.").waitFor();
    await panel.page.getByRole("button", { name: "Approve" }).click();
    await panel.next("decide", 1);
  });

  it("leaves a press alone that was meant for what it came to lie on, but takes keys at once", async () => {
    const approve = panel.page.getByRole("button", { name: "Approve" });
    /** Whether a press in the middle of the button would be one of the button, as soon as it is there. */
    const isPressed = `(async () => {
      const button = () => document.querySelector(".interrupt .choices button");
      while (button() === null) await new Promise(requestAnimationFrame);
      const { x, y, width, height } = button().getBoundingClientRect();
      return button().contains(document.elementFromPoint(x + width / 2, y + height / 2));
    })()`;
    await panel.show(idle, []);
    const pressed = panel.page.evaluate(isPressed);
    await panel.patch({ set: [one] });
    assert.equal(await pressed, false);
    await until("it takes presses", () => panel.page.evaluate(isPressed));
    await panel.patch({ set: [{ ...one, id: "i-2" }], order: ["i-2"] });
    await approve.press("Enter");
    assert.equal((await panel.next("decide")).interruptId, "i-2");
  });

  it("rejects with a reason or without", async () => {
    await panel.show(idle, [one]);
    await panel.page.getByRole("button", { name: "Reject" }).click();
    const send = panel.page.getByRole("button", { name: "Send" });
    await send.click();
    assert.deepEqual((await panel.next("decide")).decisions, [{ type: "reject" }]);
    await panel.patch({ set: [{ ...one, state: "failed", answer: "The server can't be reached." }] });
    await panel.page.getByRole("textbox", { name: "Reason" }).fill("Not during the sale");
    await send.click();
    assert.deepEqual((await panel.next("decide", 1)).decisions, [
      { type: "reject", message: "Not during the sale" },
    ]);
  });

  it("answers a question of no fixed form with JSON or with text, and says which", async () => {
    await panel.show(idle, [free]);
    const box = panel.page.getByRole("textbox", { name: "Answer", exact: true });
    await box.fill('{"region": "eu"}');
    await panel.page.getByText("goes as JSON").waitFor();
    await panel.page.getByRole("button", { name: "Send", exact: true }).click();
    assert.deepEqual((await panel.next("resume")).value, { region: "eu" });
    await panel.patch({ set: [{ ...free, state: "failed" }] });
    await box.fill("the nearest one");
    await panel.page.getByText("goes as text").waitFor();
    await panel.page.getByRole("button", { name: "Send", exact: true }).click();
    assert.equal((await panel.next("resume", 1)).value, "the nearest one");
  });

  it("shows an answer's way: sending, answered, answered elsewhere, failed with another try", async () => {
    for (const [state, words] of [
      ["sending", "sending"],
      ["answered", "answered"],
      ["elsewhere", "answered elsewhere"],
    ] as const) {
      await panel.show(idle, [{ ...one, state }]);
      assert.match(await panel.page.locator(".interrupt .card-head").innerText(), new RegExp(`${words}$`));
      assert.equal(await panel.page.getByRole("button", { name: "Approve" }).count(), 0);
    }
    await panel.show(idle, [{ ...one, state: "failed", answer: "The server can't be reached." }]);
    await panel.page.getByText("The server can't be reached.").waitFor();
    await panel.page.getByRole("button", { name: "Approve" }).click();
    await panel.next("decide");
  });

  it("makes characters visible that reorder what a person approves", async () => {
    const request = {
      name: "pay\u202Eetirw",
      args: { to: "ops\u200B@example.com" },
      allowed: ["approve"] as const,
    };
    await panel.show(idle, [{ ...two, requests: [request] }]);
    const text = await panel.page.locator(".request").innerText();
    assert.match(text, /pay\[U\+202E\]etirw/);
    assert.match(text, /ops\[U\+200B\]@example\.com/);
  });

  it("gives each feedback key its own score, comment and fields", async () => {
    await panel.show(idle, [feedback]);
    await panel.page.getByRole("button", { name: "Good (liked)" }).click();
    await panel.page.getByRole("textbox", { name: "Comment (liked)" }).fill("Clear");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.next("feedback"), {
      type: "feedback",
      runId: "run-1",
      key: "liked",
      feedback: { score: 1, comment: "Clear" },
    });
    const group = panel.page.getByRole("group", { name: "Feedback key disliked" });
    await group.getByRole("button", { name: "More Fields" }).click();
    await group.getByRole("spinbutton", { name: "Score" }).fill("-0.5");
    await group.getByRole("spinbutton", { name: "Value" }).fill("2");
    const correction = group.getByRole("textbox", { name: "Correction" });
    await correction.fill("[]");
    assert.equal(await group.getByRole("button", { name: "Send" }).isDisabled(), true);
    await correction.fill('{"answer": "r-203"}');
    await group.getByRole("textbox", { name: "Metadata" }).fill('{"reviewer": "on-call"}');
    await group.getByRole("button", { name: "Send" }).click();
    assert.deepEqual((await panel.next("feedback", 1)).feedback, {
      score: -0.5,
      value: 2,
      correction: { answer: "r-203" },
      metadata: { reviewer: "on-call" },
    });
  });

  it("locks feedback that was sent and shows what was sent; keeps what failed for another try", async () => {
    await panel.show(idle, [feedback]);
    await panel.page.getByRole("button", { name: "Bad (disliked)" }).click();
    await panel.page.getByRole("textbox", { name: "Comment (disliked)" }).fill("Too slow");
    await panel.patch({
      set: [
        {
          ...feedback,
          keys: [
            { key: "liked", state: "sent", given: { score: 1, comment: "Clear" } },
            { key: "disliked", state: "failed", error: "The network is down." },
          ],
        },
      ],
    });
    const sent = panel.page.getByRole("group", { name: "Feedback key liked" });
    assert.match(await sent.innerText(), /sent[^]*score 1[^]*“Clear”/);
    assert.equal(await sent.getByRole("button").count(), 0);
    await panel.page.getByText("The network is down.").waitFor();
    await panel.page.getByRole("button", { name: "Retry" }).click();
    assert.deepEqual((await panel.next("feedback")).feedback, { score: -1, comment: "Too slow" });
  });

  it("keeps an unsent answer and an unsent comment while the page is away", async () => {
    await panel.show(idle, [two, feedback]);
    await panel.page.locator(".request").nth(1).getByRole("button", { name: "Respond" }).click();
    await panel.page.getByRole("textbox", { name: "Response" }).fill("half a thou");
    await panel.page.getByRole("button", { name: "Good (liked)" }).click();
    await panel.reload();
    await panel.show(idle, [two, feedback]);
    assert.equal(await panel.page.getByRole("textbox", { name: "Response" }).inputValue(), "half a thou");
    await until("the thumb", async () => {
      const thumb = panel.page.getByRole("button", { name: "Good (liked)" });
      return (await thumb.getAttribute("aria-pressed")) === "true";
    });
  });
});
