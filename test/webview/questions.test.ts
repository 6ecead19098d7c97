import { strict as assert } from "node:assert";

import type { InterruptEntry } from "../../src/run/panel/transcript.ts";
import { freeQuestion } from "../../src/run/fold/drafts/humanReview.ts";
import type { Json } from "../../src/run/panel/messages.ts";
import { approval, idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

describe("What an agent asks", () => {
  const panel = usePanel({ height: 1100 });

  const two = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
  const card = () => panel.page.locator(".interrupt").first();
  const box = (name = "Answer") => card().getByRole("textbox", { name, exact: true });

  const asks = (value: Json, id = "q-1"): InterruptEntry => {
    const question = freeQuestion(value);
    return { ...two, id, requests: [], value, ...(question !== undefined && { question }) };
  };
  const acts = (args: Json, description?: string): InterruptEntry => ({
    ...two,
    requests: [
      {
        name: "run_sql",
        args,
        allowed: ["approve", "edit", "reject"],
        ...(description !== undefined && { description }),
      },
    ],
  });

  it("is read as text or Markdown, and answered by Enter; Shift+Enter starts a new line", async () => {
    await panel.show(idle, [asks("Is that **all**? (yes/no)")]);
    assert.equal(await card().locator(".markdown").innerText(), "Is that all? (yes/no)");
    assert.equal(await card().locator(".markdown strong").innerText(), "all");
    await box().press("Enter");
    assert.deepEqual(await panel.posted("resume"), [], "an empty box sends nothing");
    await box().fill("no,");
    await box().press("Shift+Enter");
    await panel.page.keyboard.type("wait");
    await panel.page.keyboard.press("Enter");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.next("resume"), { type: "resume", interruptId: "q-1", value: "no,\nwait" });
    assert.equal((await panel.posted("resume")).length, 1, "a second Enter sends nothing");
  });

  it("has its options as buttons, and the proposal in the box", async () => {
    const value = {
      question: "Which region?",
      options: ["eu", { label: "Asia", value: 2 }],
      default: "eu",
      since: 3,
    };
    await panel.show(idle, [asks(value)]);
    assert.equal(await box("Another answer").inputValue(), "eu");
    assert.match(await card().innerText(), /Which region\?[^]*since\s+3/);
    await card().getByRole("button", { name: "Asia" }).press("Enter");
    assert.equal((await panel.next("resume")).value, 2);
    await panel.show(idle, [asks(value, "q-2")]);
    await box("Another answer").press("Enter");
    assert.equal((await panel.next("resume", 1)).value, "eu");
  });

  it("lets several options be chosen where several are proposed", async () => {
    await panel.show(idle, [asks({ question: "Which?", options: ["a", "b", "c"], default: ["a", "b"] })]);
    for (const name of ["a", "c"]) await card().getByRole("button", { name, exact: true }).click();
    await card().getByRole("button", { name: "Send 2 Chosen" }).click();
    assert.deepEqual((await panel.next("resume")).value, ["b", "c"]);
  });

  it("takes words for words, unless they are written as JSON or the agent proposes such a value", async () => {
    const cases: readonly (readonly [asked: Json, written: string, sent: Json])[] = [
      ["How many?", "42", "42"],
      ["How many?", '{"n": 42}', { n: 42 }],
      [{ question: "How many?", default: 1 }, "42", 42],
      [{ question: "How many?", options: [true, false] }, "true", true],
    ];
    for (const [at, [asked, written, sent]] of cases.entries()) {
      await panel.show(idle, [asks(asked, `n-${String(at)}`)]);
      await card().getByRole("textbox").fill(written);
      await card()
        .getByText(typeof sent === "string" ? "goes as text" : "goes as JSON")
        .waitFor();
      await card().getByRole("textbox").press("Enter");
      assert.deepEqual((await panel.next("resume", at)).value, sent);
    }
    await panel.show(idle, [asks("What?", "last")]);
    await box().fill("[1]");
    await card().getByRole("button", { name: "Send as Text" }).click();
    await box().press("Enter");
    assert.equal((await panel.next("resume", cases.length)).value, "[1]");
  });

  it("shows another value field by field, and what is too deep as JSON", async () => {
    await panel.show(idle, [asks({ level: 3, ask: { a: { b: { c: { d: 1 } } } }, count: "3", note: " x" })]);
    const text = await card().locator(".values").first().innerText();
    assert.match(text.replace(/\s+/g, " "), /level 3 ask a b \{ "c": \{ "d": 1 \} \} count "3" note " x"/);
  });

  it("shows arguments with their line breaks, and the description as Markdown", async () => {
    const sql = "UPDATE users\n   SET plan = 'pro'\n WHERE id = 1;";
    await panel.show(idle, [acts({ sql, database: "prod" }, "Runs SQL on **prod**\n\n- [x](command:quit)")]);
    assert.equal(await card().locator("pre").first().innerText(), sql);
    assert.equal(await card().locator(".markdown strong").innerText(), "prod");
    assert.equal(await card().locator(".markdown a").count(), 0);
    await card().getByRole("button", { name: "Copy Arguments" }).click();
    assert.deepEqual(JSON.parse((await panel.next("copy")).text), { sql, database: "prod" });
  });

  it("is edited field by field or as JSON, and nothing is lost between the two", async () => {
    await panel.show(idle, [acts({ sql: "SELECT 1\nFROM a", rows: 5, "": null })]);
    await card().getByRole("button", { name: "Edit" }).click();
    await box("sql").fill("SELECT 2\nFROM b");
    await box("rows (JSON)").fill("1.");
    await card()
      .getByText(/Line 1, column/)
      .waitFor();
    assert.equal(await card().getByRole("button", { name: "Send" }).isDisabled(), true);
    await box("rows (JSON)").fill("6");
    await card().getByRole("button", { name: "JSON" }).click();
    assert.deepEqual(JSON.parse(await box("Edited arguments (JSON)").inputValue()), {
      sql: "SELECT 2\nFROM b",
      rows: 6,
      "": null,
    });
    await box("Edited arguments (JSON)").fill('{"sql": "SELECT 3", "dry": true}');
    await card().getByRole("button", { name: "Fields" }).click();
    await box("sql").fill("SELECT 4");
    await card().getByRole("button", { name: "Send" }).click();
    const edited_action = { name: "run_sql", args: { sql: "SELECT 4", dry: true } };
    assert.deepEqual((await panel.next("decide")).decisions, [{ type: "edit", edited_action }]);
  });

  it("is edited where its arguments have the names of what every object has", async () => {
    await panel.show(idle, [acts({ constructor: "one", toString: "two", valueOf: 3 })]);
    await card().getByRole("button", { name: "Edit" }).click();
    await box("constructor").fill("1");
    assert.equal(await box("toString").inputValue(), "two");
    await card().getByRole("button", { name: "JSON" }).click();
    await box("Edited arguments (JSON)").fill('{"__proto__": "a", "constructor": "b", "valueOf": 4}');
    await card().getByRole("button", { name: "Fields" }).click();
    await box("constructor").fill("c");
    assert.equal(await box("__proto__").inputValue(), "a");
    await box("__proto__").fill("d");
    await card().getByRole("button", { name: "Send" }).click();
    await panel.next("decide");
    assert.equal(
      await panel.page.evaluate(
        "JSON.stringify(panelHost.posted.find(({ type }) => type === 'decide').decisions[0].edited_action.args)",
      ),
      '{"__proto__":"d","constructor":"c","valueOf":4}',
    );
  });

  it("sends a reason by Enter", async () => {
    await panel.show(idle, [acts({})]);
    await card().getByRole("button", { name: "Reject" }).click();
    await box("Reason for the agent (optional)").fill("Not today");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual((await panel.next("decide")).decisions, [{ type: "reject", message: "Not today" }]);
  });

  it("stays readable once it is answered, with the answer and who gave it", async () => {
    const givers = [
      [undefined, /answered$/],
      [{ kind: "otherWindow" }, /answered in another window$/],
      [{ kind: "run", assistantId: "approval" }, /answered elsewhere by a run of approval$/],
    ] as const;
    for (const [giver, words] of givers) {
      const closed = { state: "answered", answer: "yes", ...(giver !== undefined && { giver }) } as const;
      await panel.show(idle, [{ ...asks("Sure about **this**?"), ...closed }]);
      assert.match(await card().locator(".card-head").innerText(), words);
      assert.match(await card().innerText(), /Sure about this\?[^]*Answer[^]*yes/);
      assert.equal(await card().getByRole("textbox").count(), 0);
    }
    await panel.show(idle, [{ ...acts({ sql: "a\nb" }, "Runs **SQL**"), state: "dropped" }]);
    assert.match(await card().locator(".card-head").innerText(), /not answered: a new run was started$/);
    await card()
      .getByRole("button", { name: /run_sql/ })
      .press("Enter");
    assert.equal(await card().locator("pre").innerText(), "a\nb");
  });

  it("keeps in view what was written and not sent", async () => {
    await panel.show(idle, [asks("Sure?")]);
    await box().fill("Only after noon");
    await panel.patch({
      set: [{ ...asks("Sure?"), state: "answered", answer: "no", giver: { kind: "otherWindow" } }],
    });
    assert.match(
      await card().innerText(),
      /Answer\s+no\s+What you wrote, which was not sent\s+Only after noon/,
    );
    await panel.patch({ set: [{ ...asks("Sure?"), state: "answered", answer: "Only after noon" }] });
    assert.equal(await card().getByText("What you wrote").count(), 0);
  });

  it("is nothing at a breakpoint, where the run goes on", async () => {
    const stopped: InterruptEntry = { ...two, id: "b-1", requests: [], value: null, next: ["send", "close"] };
    await panel.show(idle, [stopped]);
    assert.match(await card().innerText(), /Stopped at a breakpoint[^]*Next: send, close/);
    await card().getByRole("button", { name: "Continue" }).press("Enter");
    await panel.settled();
    await card().getByRole("button", { name: "Continue" }).press("Enter");
    assert.deepEqual(await panel.posted("resume"), [{ type: "resume", interruptId: "b-1", value: null }]);
    await panel.patch({ set: [{ ...stopped, state: "answered" }] });
    assert.match(await card().innerText(), /continued/);
    assert.equal(await card().getByRole("button", { name: "Continue" }).count(), 0);
  });

  describe("while the composer is written in", () => {
    const answer = () => panel.page.getByRole("textbox", { name: "Answer to the agent's question" });
    const message = () => panel.page.getByRole("textbox", { name: "Message" });

    it("is answered by it, and the text goes only when the answer was taken", async () => {
      await panel.show(idle, [asks("Sure?")]);
      await answer().fill("42");
      await answer().press("Enter");
      assert.deepEqual(await panel.next("resume"), { type: "resume", interruptId: "q-1", value: "42" });
      assert.deepEqual(await panel.posted("start"), []);
      await panel.patch({ set: [{ ...asks("Sure?"), state: "failed", answer: "Offline" }] });
      await panel.deliver({ type: "refused", request: "resume", message: "Offline", shown: true });
      assert.equal(await answer().inputValue(), "42");
      assert.equal(await panel.page.locator(".banner").count(), 0);
      await answer().press("Enter");
      await panel.next("resume", 1);
      await panel.patch({ set: [{ ...asks("Sure?"), state: "sending" }] });
      assert.equal(await panel.page.getByRole("alert").count(), 0);
      await panel.patch({ set: [{ ...asks("Sure?"), state: "answered", answer: "42" }] });
      await panel.deliver({ type: "accepted", request: "resume" });
      await message().waitFor();
      assert.equal(await message().inputValue(), "");
    });

    it("is left without an answer only after a word of warning", async () => {
      await panel.show(idle, [two]);
      await message().fill("Forget it");
      await message().press("Enter");
      await message().press("Enter");
      await panel.page.getByRole("alert").getByText("A new run leaves it without one.").waitFor();
      assert.deepEqual(await panel.posted("start"), []);
      await panel.page.getByRole("button", { name: "Start a New Run" }).press("Enter");
      assert.deepEqual((await panel.next("start")).request.input, { text: "Forget it" });
    });

    it("is warned of no more once it was answered", async () => {
      await panel.show(idle, [two]);
      await message().fill("Forget it");
      await message().press("Enter");
      await panel.page.getByRole("alert").waitFor();
      await panel.patch({ set: [{ ...two, state: "answered", answer: "yes" }] });
      await panel.page.getByRole("alert").waitFor({ state: "detached" });
      assert.equal(await message().inputValue(), "Forget it");
    });

    it("can be passed over for a new run, with the same warning", async () => {
      await panel.show(idle, [asks("Sure?")]);
      await panel.page.getByRole("button", { name: "New Run" }).click();
      await message().fill("Something else");
      await message().press("Enter");
      await panel.page.getByRole("button", { name: "Go to the Question" }).waitFor();
      assert.deepEqual([await panel.posted("start"), await panel.posted("resume")], [[], []]);
    });

    it("gets no text that was begun for a new run, and no late answer becomes one", async () => {
      await panel.show(idle, []);
      await message().fill("My next question");
      await panel.patch({ set: [asks("Sure?")] });
      await message().press("Enter");
      await panel.page.getByRole("button", { name: "Start a New Run" }).waitFor();
      assert.deepEqual(await panel.posted("resume"), []);
      await panel.show(idle, [asks("Sure?")]);
      await panel.page.getByRole("button", { name: "Answer", exact: true }).first().click();
      await answer().fill("yes");
      await panel.patch({ set: [{ ...asks("Sure?"), state: "answered", answer: "no" }] });
      await panel.page.getByText("that question waits no more").waitFor();
      await message().press("Enter");
      assert.deepEqual([await panel.posted("start"), await panel.posted("resume")], [[], []]);
      await panel.patch({ set: [asks("And now?", "q-9")] });
      await panel.page.getByRole("button", { name: "Answer the Next Question With It" }).click();
      await answer().press("Enter");
      assert.deepEqual(await panel.next("resume"), { type: "resume", interruptId: "q-9", value: "yes" });
    });
  });
});
