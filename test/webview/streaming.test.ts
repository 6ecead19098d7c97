import { strict as assert } from "node:assert";

import type { Entry, MessageEntry } from "../../src/run/panel/transcript.ts";
import { conversation, idle, streaming } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

const answer: MessageEntry = {
  kind: "message",
  id: "answer",
  runId: "run-1",
  lane: "",
  role: "ai",
  text: "",
  streaming: true,
};

describe("The run panel's transcript", () => {
  const panel = usePanel({ height: 700 });

  it("asks for the whole state when it opens", async () => {
    await panel.next("ready");
  });

  it("streams tokens into one message", async () => {
    await panel.show(streaming, [answer]);
    for (const text of ["It rose ", "**at 09", ":12**", ", when"])
      await panel.patch({ append: [{ id: "answer", text }] });
    const article = panel.page.getByRole("article");
    assert.equal(await article.count(), 1);
    assert.equal(await article.locator(".markdown").innerText(), "It rose at 09:12, when");
    assert.equal(await article.locator(".markdown strong").innerText(), "at 09:12");
  });

  it("leaves the finished paragraphs of a streaming message alone", async () => {
    await panel.show(streaming, [{ ...answer, text: "First paragraph.\n\nSecond" }]);
    await panel.page.evaluate("document.querySelector('.markdown p').dataset.kept = 'yes'");
    await panel.patch({ append: [{ id: "answer", text: " paragraph.\n\n- a\n- b" }] });
    assert.equal(await panel.page.locator(".markdown p").first().getAttribute("data-kept"), "yes");
    assert.equal(await panel.page.locator(".markdown li").count(), 2);
  });

  it("takes a press while it moves with what streams", async () => {
    const tool = conversation.find(({ kind }) => kind === "tool")!;
    const paragraphs = "A paragraph.\n\n".repeat(40);
    await panel.show(streaming, [{ ...answer, id: "earlier", text: paragraphs }, tool, answer]);
    const card = panel.page.getByRole("button", { name: /make_plan/ });
    const isOpen = async () => (await card.getAttribute("aria-expanded")) === "true";
    for (const wanted of [true, false, true]) {
      await panel.patch({ append: [{ id: "answer", text: "It rose.\n\n" }] });
      const { x, y, height } = (await card.boundingBox())!;
      await panel.page.mouse.click(x + 40, y + height / 2);
      await panel.settled();
      assert.equal(await isOpen(), wanted);
    }
  });

  it("shows what is opened at the end from its head on, and where the newest is by then", async () => {
    const tool = conversation.find((entry) => entry.kind === "tool")!;
    const entries = (results: number) => [
      { ...answer, id: "earlier", text: "A paragraph.\n\n".repeat(40), streaming: false },
      { ...tool, result: JSON.stringify(Array.from({ length: results }, (_, place) => ({ place }))) },
    ];
    const card = panel.page.getByRole("button", { name: /make_plan/ });
    const copy = panel.page.getByRole("button", { name: "Copy result" });
    const latest = panel.page.getByRole("button", { name: "Jump to Latest" });
    await panel.show(idle, entries(1));
    const list = (await panel.page.locator(".scroller").boundingBox())!;
    const top = async () => Math.round((await card.boundingBox())!.y - list.y);

    await card.press("Enter");
    await until("all of a small one", async () => {
      const { y, height } = (await copy.boundingBox())!;
      return y + height <= list.y + list.height;
    });
    assert.ok((await top()) > 0);
    await card.press("Enter");
    await panel.patch({ set: entries(60).slice(1) });
    await card.press("Enter");
    await latest.waitFor();
    assert.ok(Math.abs(await top()) < 8);
    await card.press("Enter");
    await latest.waitFor({ state: "detached" });
  });

  it("asks for a snapshot once when a patch is missing, and shows nothing false meanwhile", async () => {
    await panel.show(streaming, [{ ...answer, text: "one " }]);
    const patch = { set: [] };
    await panel.deliver({
      type: "patch",
      revision: 3,
      patch: { ...patch, append: [{ id: "answer", text: "three " }] },
      events: 3,
    });
    await panel.next("ready", 1);
    await panel.deliver({
      type: "patch",
      revision: 4,
      patch: { ...patch, append: [{ id: "answer", text: "four " }] },
      events: 4,
    });
    await panel.settled();
    assert.equal((await panel.posted("ready")).length, 2);
    assert.equal((await panel.page.locator(".markdown").innerText()).trim(), "one");
    const entries = [{ ...answer, text: "one two three four" }];
    await panel.deliver({ type: "snapshot", revision: 4, state: streaming, entries });
    await until(
      "the snapshot",
      async () => (await panel.page.locator(".markdown").innerText()) === "one two three four",
    );
  });

  it("ignores a patch that it has already applied", async () => {
    await panel.show(streaming, [answer]);
    const patch = { set: [], append: [{ id: "answer", text: "once" }] };
    await panel.deliver({ type: "patch", revision: 2, patch, events: 1 });
    await panel.deliver({ type: "patch", revision: 2, patch, events: 1 });
    await panel.settled();
    assert.equal(await panel.page.locator(".markdown").innerText(), "once");
  });

  it("follows the end while the reader is there, and only then", async () => {
    await panel.show(streaming, [...conversation, { ...answer, text: "Now: " }]);
    const scroller = panel.page.getByRole("region", { name: "Transcript" });
    const fromEnd = () =>
      scroller.evaluate(
        (element: { scrollHeight: number; scrollTop: number; clientHeight: number }) =>
          element.scrollHeight - element.scrollTop - element.clientHeight,
      );
    await until("the end", async () => (await fromEnd()) < 2);
    await panel.patch({ append: [{ id: "answer", text: "line\n\n".repeat(40) }] });
    await until("the end again", async () => (await fromEnd()) < 2);

    await scroller.hover();
    await panel.page.mouse.wheel(0, -300);
    await panel.page.getByRole("button", { name: "Jump to Latest" }).waitFor();
    const before = await fromEnd();
    await panel.patch({ append: [{ id: "answer", text: "more\n\n".repeat(20) }] });
    await panel.patch({ set: [{ ...answer, id: "another", text: "A new row" }] });
    assert.ok((await fromEnd()) > before, "the reader's place moved");
    await panel.page.getByRole("button", { name: "Jump to Latest (1 new row)" }).click();
    await until("the end by the button", async () => (await fromEnd()) < 2);
    await panel.page.getByText("A new row").waitFor();
    assert.equal(await panel.page.getByRole("button", { name: "Jump to Latest" }).count(), 0);
  });

  it("shows a lane per subagent, folds it on request and goes on telling its latest", async () => {
    await panel.page.setViewportSize({ width: 1000, height: 1600 });
    await panel.show(streaming, conversation);
    const lane = panel.page.locator('[data-row="lane:traces"] button');
    await lane.click();
    await until("the folded lane", async () => (await lane.getAttribute("aria-expanded")) === "false");
    assert.equal(await panel.page.locator('[data-row="t-2"]').count(), 0);
    assert.match(await lane.innerText(), /only in requests that write to the ledger/);
    await panel.page
      .getByRole("button", { name: /trace analyst/ })
      .first()
      .click();
    await panel.page.locator('[data-row="t-2"]').waitFor();
  });

  it("opens a tool call to its arguments, result and copy buttons", async () => {
    await panel.page.setViewportSize({ width: 1000, height: 1600 });
    await panel.show(idle, conversation);
    await panel.page.getByRole("button", { name: /list_revisions/ }).click();
    const card = panel.page.locator('[data-row="t-3"]');
    await card.getByText("Arguments").waitFor();
    assert.match(await card.innerText(), /"deployment": "checkout",[^]*Error[^]*503 Service Unavailable/);
    await card.getByRole("button", { name: "Copy Arguments" }).click();
    const { text } = await panel.next("copy");
    assert.deepEqual(JSON.parse(text), { deployment: "checkout", since: "2026-05-03" });
  });

  it("cuts a huge result until all of it is asked for", async () => {
    const huge = "row ".repeat(50_000);
    const tool: Entry = {
      kind: "tool",
      id: "t",
      lane: "",
      name: "dump",
      args: "{}",
      result: huge,
      status: "done",
    };
    await panel.show(idle, [tool]);
    await panel.page.getByRole("button", { name: /dump/ }).click();
    const box = panel.page.getByRole("group", { name: "Result" });
    assert.ok((await box.innerText()).length < 10_000);
    await panel.page.getByRole("button", { name: "Show All (200 kB)" }).click();
    assert.ok((await box.innerText()).length > 199_000);
  });

  it("shows a status and a role that it does not know as they are", async () => {
    await panel.show(idle, [
      { kind: "run", id: "r", runId: "r", assistantId: "echo", status: "hibernating" },
      { ...answer, id: "m", role: "critic", text: "Too short", streaming: false },
    ]);
    await panel.page.getByText("hibernating").waitFor();
    await panel.page.getByText("critic").waitFor();
  });

  it("shows an error once, where it happened if the transcript knows", async () => {
    const run: Entry = {
      kind: "run",
      id: "r",
      runId: "r",
      assistantId: "faulty",
      status: "error",
      error: "disk full",
    };
    await panel.show(idle, [run]);
    assert.equal(await panel.page.getByText("disk full").count(), 1);
    await panel.patch({
      set: [{ kind: "notice", id: "n", runId: "r", lane: "", level: "error", text: "disk full" }],
    });
    assert.equal(await panel.page.getByText("disk full").count(), 1);
    assert.equal(await panel.page.locator(".run-error").count(), 0);
  });

  it("calls what a subagent is given an instruction, for it is not the reader who said it", async () => {
    const lane: Entry = {
      kind: "lane",
      id: "l",
      runId: "r",
      lane: "l:1",
      parent: "",
      name: "historian",
      status: "done",
    };
    await panel.show(idle, [
      lane,
      { ...answer, runId: "r", lane: "l:1", role: "human", text: "tea", streaming: false },
    ]);
    await panel.page.getByRole("article", { name: "Message of Instruction" }).waitFor();
  });

  it("acknowledges what it painted, and no revision that it could not apply", async () => {
    await panel.show(streaming, [answer]);
    await panel.patch({ append: [{ id: "answer", text: "one" }] });
    const patch = { set: [], append: [{ id: "answer", text: "lost" }] };
    await panel.deliver({ type: "patch", revision: 9, patch, events: 9 });
    await panel.next("ready", 1);
    await panel.settled();
    assert.deepEqual(
      (await panel.posted("painted")).map(({ revision }) => revision),
      [1, 2],
    );
  });

  it("shows an entry of a kind that it does not know", async () => {
    const entry = { kind: "hologram", id: "h", lane: "", depth: 3 } as unknown as Entry;
    await panel.show(idle, [entry]);
    await panel.page.getByText('"kind": "hologram"').waitFor();
  });

  it("offers to reload when it breaks, and recovers with what the host holds", async () => {
    const broken = { ...answer, text: undefined } as unknown as Entry;
    await panel.show(idle, [broken]);
    await panel.page.getByText("This view stopped working").waitFor();
    await panel.page.getByRole("button", { name: "Reload View" }).click();
    await panel.next("ready", 1);
    await panel.show(idle, [{ ...answer, text: "All here", streaming: false }]);
    await panel.page.getByText("All here").waitFor();
    await panel.patch({ append: [{ id: "answer", text: " and going on" }] });
    await panel.page.getByText("All here and going on").waitFor();
  });

  it("distinguishes missing token counts from none", async () => {
    const run: Entry = { kind: "run", id: "r", runId: "r", assistantId: "echo", status: "success" };
    await panel.show(idle, [
      run,
      { ...run, id: "r2", runId: "r2", usage: { input: 0, output: 0, total: 0 } },
    ]);
    await panel.page.getByText("0 tokens in · 0 out").waitFor();
    assert.equal(await panel.page.getByText("tokens in").count(), 1);
  });

  it("announces events, never tokens", async () => {
    const status = panel.page.locator("#announcer");
    const run: Entry = { kind: "run", id: "r", runId: "r", assistantId: "echo", status: "running" };
    await panel.show(idle, []);
    await panel.patch({
      set: [run, answer, { kind: "tool", id: "t", lane: "", name: "search", args: "", status: "running" }],
    });
    await until(
      "the start",
      async () => (await status.innerText()) === "Run of echo started. Tool search called.",
    );
    await panel.patch({ append: [{ id: "answer", text: "a token" }] });
    await panel.patch({ set: [{ ...run, status: "success" }] });
    await until("the end", async () => (await status.innerText()) === "Run of echo finished.");
    const regions = panel.page.locator("[aria-live]");
    assert.equal(await regions.count(), 1, "one live region");
  });
});
