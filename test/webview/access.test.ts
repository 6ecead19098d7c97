import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { AgentSchemas } from "../../src/run/panel/agent.ts";
import type { PanelState } from "../../src/run/panel/messages.ts";
import type { Entry, InterruptEntry } from "../../src/run/panel/transcript.ts";
import { approval, conversation, idle, streaming } from "./demo.ts";
import { type Bench, type Opening, PanelPage, startBench } from "./panelPage.ts";
import { until } from "../support/until.ts";
import type { Theme } from "./pageServer.ts";

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

interface View {
  readonly state: PanelState;
  readonly entries: readonly Entry[];
  readonly prepare?: (panel: PanelPage) => Promise<void>;
}

const interrupt = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
const asked: InterruptEntry = { ...interrupt, requests: [], value: null };
const nested = { sql: "SELECT 1\nFROM users", limits: { rows: 5, dry: false }, ids: ["1", 2] };
const options = [
  { label: "Europe", value: "eu" },
  { label: "Asia", value: "as" },
];
const formSchemas: AgentSchemas = {
  kind: "known",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["topic"],
    properties: {
      topic: { type: "string", minLength: 3, description: "What it is about" },
      audience: { enum: ["children", "engineers"] },
      rounds: { type: "integer" },
      dry: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      tone: { type: "object", properties: { formal: { type: "boolean" } }, required: ["formal"] },
      extra: {},
    },
  },
};
const openAll = async (panel: PanelPage) => {
  for (const id of ["n-1", "t-3", "c-1"])
    await panel.page.locator(`[data-row="${id}"] .disclosure-head`).click();
};

const questionsOfAllKinds: View = {
  state: idle,
  entries: [
    { ...interrupt, id: "i-1", requests: [{ ...interrupt.requests[0]!, args: nested }] },
    { ...asked, id: "i-2", question: { text: "**Where?**", options, several: false, proposal: "eu" } },
    { ...asked, id: "i-3", question: { text: "Which?", options, several: true, rest: { ticket: 7 } } },
    { ...asked, id: "i-4", next: ["send"] },
    { ...asked, id: "i-5", state: "answered", answer: "eu", giver: { kind: "otherWindow" } },
    { ...interrupt, id: "i-6", state: "dropped" },
  ],
  prepare: async (panel) => {
    await panel.page.locator(".request").first().getByRole("button", { name: "Edit" }).click();
    await panel.page.locator(".asked-action .disclosure-head").first().click();
    await panel.page.getByRole("textbox", { name: "Message" }).fill("Something else");
    await panel.page.keyboard.press("Enter");
    await panel.page.getByRole("button", { name: "Start a New Run" }).waitFor();
  },
};

const views: Readonly<Record<string, View>> = {
  "an empty thread": { state: idle, entries: [] },
  "a thread that loads": { state: { ...idle, session: { kind: "loading" } }, entries: [] },
  "a thread that failed": {
    state: {
      ...idle,
      session: {
        kind: "failed",
        message: "Refused",
        actions: [
          { title: "Try Again", action: "retry" },
          { title: "Show Log", action: "showLog" },
        ],
      },
    },
    entries: conversation.slice(0, 3),
  },
  "a conversation with its cards open": { state: streaming, entries: conversation, prepare: openAll },
  "an interrupt being answered": {
    state: idle,
    entries: [interrupt, { ...interrupt, id: "i-2", requests: [] }],
    prepare: async (panel) => {
      await panel.page.locator(".request").first().getByRole("button", { name: "Edit" }).click();
      await panel.page.locator(".request").nth(1).getByRole("button", { name: "Respond" }).click();
      await panel.page.getByRole("button", { name: "JSON" }).first().click();
      await panel.page.getByRole("textbox", { name: "Edited" }).fill("{");
    },
  },
  "questions of all kinds, and a new run that is written beside them": questionsOfAllKinds,
  "feedback with all fields": {
    state: idle,
    entries: conversation.filter((entry) => entry.kind === "feedback"),
    prepare: (panel) => panel.page.getByRole("button", { name: "More fields" }).first().click(),
  },
  "the composer with its options, while a run streams": {
    state: streaming,
    entries: conversation,
    prepare: async (panel) => {
      await panel.page.getByRole("button", { name: "Options" }).click();
      await panel.page.getByRole("button", { name: "JSON" }).click();
      await panel.page.getByRole("textbox", { name: "Input as JSON" }).fill("{");
      await panel.page.getByRole("radio").first().waitFor();
    },
  },
  "a form with fields of all kinds, one of which is refused": {
    state: idle,
    entries: [],
    prepare: async (panel) => {
      await panel.deliver({
        type: "agent",
        agent: { assistantId: "researcher", schemas: formSchemas, options: {} },
      });
      await panel.page.getByRole("button", { name: "Add to tags" }).click();
      await panel.page.getByRole("button", { name: "Add tone" }).click();
      await panel.page.getByRole("button", { name: "Run", exact: true }).click();
      await panel.page.getByRole("button", { name: "Send Anyway" }).waitFor();
    },
  },
  "an input in JSON that is refused": {
    state: idle,
    entries: [],
    prepare: async (panel) => {
      await panel.deliver({
        type: "agent",
        agent: { assistantId: "researcher", schemas: formSchemas, options: {} },
      });
      await panel.page.getByRole("button", { name: "JSON" }).click();
      await panel.page.getByRole("textbox", { name: "Input as JSON" }).fill('{"topc": 1}');
      await panel.page.locator(".problem-place").first().waitFor();
    },
  },
  "the event list": {
    state: streaming,
    entries: conversation,
    prepare: async (panel) => {
      await panel.page.getByRole("tab", { name: /Events/ }).click();
      const events = [{ index: 411, event: "messages", data: '{"a":1}', at: 0 }];
      await panel.deliver({ type: "rawPage", search: "", offset: 0, total: 1, events });
      await panel.page.getByRole("button", { name: /messages/ }).click();
    },
  },
};

describe("The run panel's accessibility", function () {
  this.timeout(60_000);
  let bench: Bench;
  let axe: string;

  before(async () => {
    bench = await startBench();
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  });
  after(() => bench.close());

  /** What axe finds; it may fetch no style sheet again, for the page's content policy forbids it. */
  const findings = async (panel: PanelPage, rules: object = {}): Promise<string[]> => {
    assert.deepEqual(panel.complaints, []);
    await panel.page.evaluate(axe);
    const options = JSON.stringify({ resultTypes: ["violations"], preload: false, rules });
    const found: Finding[] = await panel.page.evaluate(
      `axe.run(document, ${options}).then((result) => result.violations)`,
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map(
        (node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary.split("\n").at(-1)!.trim()}`,
      ),
    );
  };

  const inView = async (opening: Opening, view: View, use: (panel: PanelPage) => Promise<void>) => {
    const panel = new PanelPage();
    await panel.open(bench, { height: 1600, ...opening });
    await panel.show(view.state, view.entries);
    await view.prepare?.(panel);
    await panel.settled();
    await use(panel);
    await panel.close();
  };

  for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const satisfies Theme[]) {
    for (const [name, view] of Object.entries(views)) {
      it(`axe finds nothing in ${name} (${theme})`, () =>
        inView({ theme }, view, async (panel) => assert.deepEqual(await findings(panel), [])));
    }
  }

  const narrow: Readonly<Record<string, View>> = {
    "a conversation": { state: streaming, entries: conversation, prepare: openAll },
    questions: questionsOfAllKinds,
  };
  for (const [name, view] of Object.entries(narrow))
    it(`axe finds nothing in ${name} at 380 pixels' width, where nothing sticks out`, () =>
      inView({ width: 380 }, view, async (panel) => {
        assert.deepEqual(await findings(panel), []);
        const overflow: number = await panel.page.evaluate(
          "Math.max(...[...document.querySelectorAll('.header, .composer, .row')].map((e) => e.scrollWidth - e.clientWidth))",
        );
        assert.ok(overflow <= 0, `${overflow} pixels stick out`);
      }));

  it("stays readable under forced colours", () =>
    inView({ forcedColors: true }, { state: streaming, entries: conversation }, async (panel) => {
      assert.deepEqual(await findings(panel, { "color-contrast": { enabled: false } }), []);
    }));

  it("reaches every control by Tab, each with a name and a visible focus", () =>
    inView({}, { state: streaming, entries: conversation.slice(0, 5) }, async (panel) => {
      const seen: string[] = [];
      for (let step = 0; step < 40; step++) {
        await panel.page.keyboard.press("Tab");
        const focus: { name: string; outlined: boolean } | null = await panel.page.evaluate(`(() => {
          const element = document.activeElement;
          if (element === document.body) return null;
          const style = getComputedStyle(element);
          const name = element.getAttribute("aria-label") ?? (element.innerText || element.labels?.[0]?.innerText);
          return { name: (name ?? "").trim(), outlined: style.outlineStyle !== "none" && style.outlineWidth !== "0px" };
        })()`);
        if (focus === null) break;
        assert.ok(focus.name !== "", "a control without a name");
        assert.ok(focus.outlined, `no visible focus on ${focus.name}`);
        seen.push(focus.name.split("\n")[0]!);
      }
      for (const name of [
        "Detach",
        "Stop",
        "Transcript",
        "make_plan",
        "trace analyst",
        "Message",
        "Agent",
        "Options",
      ]) {
        assert.ok(
          seen.some((label) => label.startsWith(name)),
          `Tab never reached ${name}: ${seen.join(", ")}`,
        );
      }
    }));

  it("walks the rows by arrow keys, opens a card and comes back by Escape", () =>
    inView({}, { state: idle, entries: conversation }, async (panel) => {
      const focused = () =>
        panel.page.evaluate("document.activeElement.closest('[data-row]')?.dataset.row ?? null");
      await panel.page.getByRole("region", { name: "Transcript" }).focus();
      const walked: unknown[] = [];
      for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]) {
        const before = await focused();
        await panel.page.keyboard.press(key);
        await until("another row", async () => (await focused()) !== before);
        walked.push(await focused());
      }
      assert.deepEqual(walked, ["run:run-1", "m-1", "m-2", "t-1", "m-2"]);
      await panel.page.keyboard.press("ArrowDown");
      await until("the tool", async () => (await focused()) === "t-1");
      await panel.page.keyboard.press("Tab");
      await panel.page.keyboard.press("Enter");
      await panel.page.getByText("Arguments").waitFor();
      await panel.page.keyboard.press("Escape");
      assert.equal(await panel.page.evaluate("document.activeElement.dataset.row"), "t-1");
    }));

  it("keeps the focus where one works when the control that had it goes", () =>
    inView({}, { state: streaming, entries: approval }, async (panel) => {
      const { page } = panel;
      const interrupt = approval.find((entry) => entry.kind === "interrupt")!;
      const focused = () =>
        page.evaluate("document.activeElement.closest('[data-row]')?.dataset.row ?? null");
      await page.locator(".interrupt button", { hasText: "Approve" }).first().focus();
      await panel.patch({ set: [{ ...interrupt, state: "answered", answer: "approve" }] });
      assert.equal(await focused(), interrupt.id);
      await page.getByRole("button", { name: "Stop" }).focus();
      await panel.deliver({ type: "state", state: idle });
      await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), "tab");
      await page.getByRole("textbox", { name: "Message" }).fill("Again");
      await page.getByRole("button", { name: "Run" }).press("Enter");
      await panel.next("start");
      await panel.settled();
      assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), "Message");
    }));

  it("announces every run to a screen reader, also when one goes like the one before", () =>
    inView({}, { state: idle, entries: [] }, async (panel) => {
      const { page } = panel;
      const told = () => page.locator("#announcer").innerText();
      await page.evaluate(`(() => {
        window.told = [];
        const announcer = document.getElementById("announcer");
        new MutationObserver(() => window.told.push(announcer.textContent)).observe(announcer, {
          childList: true, characterData: true, subtree: true,
        });
      })()`);
      for (const round of [1, 2]) {
        const runId = `again-${round}`;
        const run = {
          kind: "run",
          id: `run:${runId}`,
          runId,
          assistantId: "echo",
          status: "success",
        } as const;
        await panel.patch({ set: [run] });
        await until("the sentence", async () => {
          const all: string[] = await page.evaluate("window.told");
          return all.filter((text) => text.includes("Run of echo finished")).length >= round;
        });
      }
      assert.match(await told(), /Run of echo finished/);
    }));

  it("switches views by arrow keys, as tabs do", () =>
    inView({}, { state: streaming, entries: conversation }, async (panel) => {
      await panel.page.getByRole("tab", { name: "Transcript" }).focus();
      await panel.page.keyboard.press("ArrowRight");
      await panel.page.getByRole("searchbox").waitFor();
      assert.equal(await panel.page.evaluate("document.activeElement.id"), "tab-events");
    }));
});
