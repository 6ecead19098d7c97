import { strict as assert } from "node:assert";

import type { PanelState } from "../../src/run/panel/messages.ts";
import { axeFindings } from "./axe.ts";
import { approval, conversation, idle, streaming } from "./demo.ts";
import { ranGraph } from "./graphDemo.ts";
import { PanelPage } from "./panelPage.ts";
import { openAll, openGraph, questionsOfAllKinds, type View, views } from "./panelViews.ts";
import { until } from "../support/until.ts";
import type { Opening } from "./tab.ts";

describe("The run panel's accessibility", () => {
  const findings = (panel: PanelPage, rules: object = {}): Promise<readonly string[]> => {
    assert.deepEqual(panel.complaints, []);
    return axeFindings(panel.page, rules);
  };

  const shown = async (opening: Opening, view: View): Promise<PanelPage> => {
    const panel = new PanelPage();
    await panel.open({ height: 1600, ...opening });
    await panel.show(view.state, view.entries);
    await view.prepare?.(panel);
    await panel.settled();
    return panel;
  };
  const inView = async (opening: Opening, view: View, use: (panel: PanelPage) => Promise<void>) => {
    const panel = await shown(opening, view);
    await use(panel);
    await panel.close();
  };

  for (const [name, view] of Object.entries(views)) {
    describe(`in ${name}`, () => {
      let panel: PanelPage;
      before(async () => {
        panel = await shown({}, view);
      });
      for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const)
        it(`lets axe find nothing (${theme})`, async () => {
          await panel.wear(theme);
          assert.deepEqual(await findings(panel), []);
        });
      after(() => panel.close());
    });
  }

  const narrow: Readonly<Record<string, View>> = {
    "a conversation": { state: streaming, entries: conversation, prepare: openAll },
    questions: questionsOfAllKinds,
    "a graph": { state: idle, entries: ranGraph, prepare: openGraph },
  };
  for (const [name, view] of Object.entries(narrow))
    it(`axe finds nothing in ${name} at 380 pixels' width, where nothing sticks out`, () =>
      inView({ width: 380 }, view, async (panel) => {
        assert.deepEqual(await findings(panel), []);
        const overflow: number = await panel.page.evaluate(
          "Math.max(...[...document.querySelectorAll('.header, .composer, .row, .graph-tools, .graph-row')].map((e) => e.scrollWidth - e.clientWidth))",
        );
        assert.ok(overflow <= 0, `${overflow} pixels stick out`);
      }));

  const banners: Readonly<Record<string, PanelState["session"]>> = {
    "a thread that can't be read": {
      kind: "failed",
      message: "Staging platform could not be reached: connect ECONNREFUSED 10.0.0.17:443.",
      actions: [
        { title: "Test Connection", action: "testConnection" },
        { title: "Edit Connection", action: "editConnection" },
        { title: "Try Again", action: "retry" },
      ],
    },
    "a stranded run with a long name": {
      kind: "streaming",
      runId: "run-1",
      stranded: {
        text: "This run seems to be stranded: its server was restarted, and nothing comes from it since.",
        next: ["summarize_everything_that_was_found_in_all_of_the_traces"],
      },
    },
  };
  for (const [name, session] of Object.entries(banners))
    it(`keeps the conversation and the composer of ${name} in sight in a narrow panel`, () =>
      inView(
        { width: 300, height: 700 },
        { state: { ...idle, session }, entries: conversation },
        async ({ page }) => {
          const { y = 700, height = 0 } = (await page.locator(".composer").boundingBox()) ?? {};
          assert.ok(y + height <= 700, `the composer ends at ${y + height}`);
          const list = await page.locator(".scroller").boundingBox();
          assert.ok((list?.height ?? 0) >= 150, `${list?.height} pixels are left`);
          const overflow: number = await page.evaluate(
            "document.documentElement.scrollWidth - innerWidth + Math.max(...[...document.querySelectorAll('.banner *')].map((e) => e.getBoundingClientRect().right - e.closest('.banner').getBoundingClientRect().right, 0))",
          );
          assert.ok(overflow <= 0, `${overflow} pixels stick out`);
        },
      ));

  it("keeps Run in sight in a narrow panel, whatever is open above it", () =>
    inView(
      { width: 400, height: 700 },
      views["the composer with its options, while a run streams"]!,
      async (panel) => {
        const run = panel.page.getByRole("button", { name: "Run", exact: true });
        const { y = 0, height = 0 } = (await run.boundingBox()) ?? {};
        assert.ok(y > 0 && y + height <= 700, `it ends at ${y + height}`);
        const onTop = `document.elementFromPoint(${(await run.boundingBox())!.x + 5}, ${y + height / 2})`;
        assert.match(await panel.page.evaluate<string>(`${onTop}.closest("button").textContent`), /Run/);
      },
    ));

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
      await page.getByRole("button", { name: "Run", exact: true }).press("Enter");
      await panel.next("start");
      await panel.settled();
      assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), "Message");
    }));

  it("announces every run to a screen reader, also when one goes like the one before", () =>
    inView({}, { state: { ...idle, threadId: undefined }, entries: [] }, async (panel) => {
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
      assert.equal(await panel.page.evaluate("document.activeElement.id"), "tab-graph");
      await panel.page.keyboard.press("ArrowRight");
      await panel.page.getByRole("searchbox").waitFor();
      assert.equal(await panel.page.evaluate("document.activeElement.id"), "tab-events");
    }));
});
