import { strict as assert } from "node:assert";

import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

/** What an agent, or whoever feeds it, may write to act in the reader's name; each would set `owned` if it ran. */
const corpus: Readonly<Record<string, string>> = {
  script: "<script>window.owned = 1</script>",
  "event handler": '<img src=x onerror="window.owned = 2">',
  "javascript link": "[click](javascript:window.owned=3) <javascript:window.owned=3>",
  "entity-coded link": "[click](&#106;avascript:window.owned=4)",
  "control characters in a link": "[click](java\tscript:window.owned=5) [c](\u0001javascript:window.owned=5)",
  "command link": '[Run](command:workbench.action.quit) <a href="command:workbench.action.quit">Run</a>',
  "data and file links":
    "[a](data:text/html,<script>window.owned=6</script>) [b](file:///etc/passwd) [c](vscode://x/y)",
  svg: '<svg onload="window.owned = 7"><script>window.owned = 7</script><use href="#x"/></svg>',
  iframe: '<iframe src="https://evil.example/" srcdoc="<script>parent.owned = 8</script>"></iframe>',
  form: '<form action="https://evil.example/"><input name=q autofocus onfocus="window.owned = 9"><button>Go</button></form>',
  "meta refresh":
    '<meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">',
  "style and css url":
    '<style>body { background: url(https://evil.example/x) }</style><p style="position:fixed">x</p>',
  "remote images":
    "![pixel](https://evil.example/pixel.png) ![x][ref]\n\n[ref]: https://evil.example/ref.png",
  "ids and classes": '<div id="root" class="composer">x</div> <a name="acquireVsCodeApi">y</a>',
  math: "<math><mtext><table><mglyph><style><img src=x onerror=window.owned=10></style></mglyph></table></mtext></math>",
  "unclosed markup": "`<img src=x onerror=window.owned=11>` **<b onmouseover=window.owned=11> | <td>",
  "a table":
    "| <img src=x onerror=window.owned=12> | [x](javascript:window.owned=12) |\n|-|-|\n| <svg/onload=window.owned=12> | ![y](javascript:window.owned=12) |",
  "deep nesting": `${">".repeat(3000)} deep ${"[".repeat(3000)} ${"*".repeat(3000)} ${"- ".repeat(800)}`,
};

describe("Hostile output of an agent", () => {
  const panel = usePanel({ height: 900 });

  const inert = async () => {
    assert.equal(await panel.page.evaluate("window.owned"), undefined, "no script ran");
    assert.deepEqual(panel.complaints, [], "nothing even tried");
    assert.deepEqual(panel.strayRequests, []);
    const forbidden =
      "script, style, iframe, object, embed, form, svg, math, img, video, audio, link, base, meta";
    assert.equal(await panel.page.locator(`#root :is(${forbidden})`).count(), 0);
    assert.equal(await panel.page.locator("#root, .composer").count(), 2, "no second root or composer");
    const hrefs: string[] = await panel.page.evaluate(
      "[...document.querySelectorAll('#root a')].map((a) => a.protocol)",
    );
    assert.deepEqual(
      hrefs.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol)),
      [],
    );
  };

  for (const [name, text] of Object.entries(corpus)) {
    it(`is inert as a message: ${name}`, async () => {
      const message = { kind: "message", lane: "", streaming: false, text } as const;
      await panel.show(idle, [
        { ...message, id: "a", role: "ai" },
        { ...message, id: "b", role: "human" },
        { ...message, id: "c", role: "ai", streaming: true },
      ]);
      await inert();
    });
  }

  it("is inert everywhere else", async () => {
    const text = Object.values(corpus).join("\n");
    const entries: Entry[] = [
      { kind: "run", id: "r", runId: "r", assistantId: text, status: text, strategy: text, error: text },
      { kind: "lane", id: "l", runId: "r", lane: "l:1", parent: "", name: text, status: "running" },
      { kind: "tool", id: "t", lane: "", name: text, args: text, result: text, status: "error" },
      { kind: "custom", id: "c", lane: "", count: 1, latest: { text, progress: 2 }, firstEvent: 0 },
      { kind: "notice", id: "n", lane: "", level: "error", text, detail: text },
      {
        kind: "interrupt",
        id: "i",
        lane: "",
        requests: [{ name: text, args: { text }, description: text, allowed: ["approve", "edit"] }],
        value: text,
        state: "failed",
        answer: text,
      },
      {
        kind: "interrupt",
        id: "q",
        lane: "",
        requests: [],
        value: { question: text },
        question: {
          text,
          options: [{ label: text, value: text }],
          several: false,
          rest: { [text]: { text } },
        },
        state: "answered",
        answer: text,
        giver: { kind: "run", assistantId: text },
      },
      {
        kind: "feedback",
        id: "f",
        runId: "r",
        lane: "",
        keys: [{ key: text, state: "failed", error: text }],
      },
    ];
    for (const entry of entries) {
      await panel.show({ ...idle, title: text, server: text, connection: text }, [entry]);
      for (const button of await panel.page.locator("[data-row] [aria-expanded=false]").elementHandles())
        await button.click();
      await inert();
    }
  });

  it("shows HTML as the text that it is", async () => {
    const text = 'Use <b>this</b> & <img src="x"> &lt;i&gt;, line<br>break';
    await panel.show(idle, [{ kind: "message", id: "m", lane: "", role: "ai", streaming: false, text }]);
    const shown = await panel.page.locator(".markdown").innerText();
    assert.equal(shown, 'Use <b>this</b> & <img src="x"> <i>, line\nbreak');
  });

  it("shows a paragraph as it is whose emphasis would take seconds to find, and formats the others", async () => {
    const text = `*One*\n\n${"*a**b ".repeat(3_000)}\n\n**Three** with [a link](https://example.com/)`;
    await panel.show(idle, [{ kind: "message", id: "m", lane: "", role: "ai", streaming: true, text }]);
    const paragraphs = panel.page.locator(".markdown > p");
    assert.equal(await paragraphs.count(), 3);
    assert.match(await paragraphs.nth(1).innerText(), /^(\*a\*\*b ?){3000}$/);
    assert.deepEqual(await panel.page.locator(".markdown :is(em, strong, a)").allInnerTexts(), [
      "One",
      "Three",
      "a link",
    ]);
  });

  it("asks the host to open a link only after a click, and shows where it leads", async () => {
    const text = "[my bank](https://evil.example/?a=1&b=2) and ![chart](https://img.example/c.png)";
    await panel.show(idle, [{ kind: "message", id: "m", lane: "", role: "ai", streaming: false, text }]);
    assert.equal((await panel.posted("openExternal")).length, 0);
    const link = panel.page.getByRole("link", { name: "my bank" });
    assert.equal(await link.getAttribute("title"), "https://evil.example/?a=1&b=2");
    await panel.page.evaluate("document.addEventListener('click', () => (window.bubbled = true))");
    await link.click();
    assert.equal((await panel.next("openExternal")).url, "https://evil.example/?a=1&b=2");
    assert.equal(
      await panel.page.evaluate("window.bubbled"),
      undefined,
      "the editor's own handler would open it again",
    );
    await panel.page.getByRole("link", { name: "chart" }).focus();
    await panel.page.keyboard.press("Enter");
    assert.equal((await panel.next("openExternal", 1)).url, "https://img.example/c.png");
    await link.click({ button: "right" });
    await panel.settled();
    assert.equal((await panel.posted("openExternal")).length, 2, "a right click only opens the menu");
    await link.click({ button: "middle" });
    await panel.next("openExternal", 2);
  });

  it("shows where an address that can't be opened would lead", async () => {
    const text = "[Approve all](command:agentOperations.approve)";
    await panel.show(idle, [{ kind: "message", id: "m", lane: "", role: "ai", streaming: false, text }]);
    assert.equal(
      await panel.page.locator(".markdown").innerText(),
      "Approve all (command:agentOperations.approve)",
    );
    assert.equal(await panel.page.getByRole("link").count(), 0);
  });

  it("marks characters that reorder text, in prose, code, names and arguments", async () => {
    const trick = "access\u202E\u2066gnp.exe\u2069";
    const marked = "access[U+202E][U+2066]gnp.exe[U+2069]";
    await panel.show(idle, [
      { kind: "message", id: "m", lane: "", role: "ai", streaming: false, text: `${trick} and \`${trick}\`` },
      {
        kind: "tool",
        id: "t",
        lane: "",
        name: trick,
        args: JSON.stringify({ path: trick }),
        status: "running",
      },
    ]);
    assert.equal(await panel.page.locator(".markdown").innerText(), `${marked} and ${marked}`);
    await panel.page.locator("[data-row=t] button").click();
    await until("the arguments", async () =>
      (await panel.page.locator("[data-row=t]").innerText()).includes("Arguments"),
    );
    const tool = await panel.page.locator("[data-row=t]").innerText();
    assert.equal(tool.split(marked).length - 1, 3, "in the name, the preview and the arguments");
  });

  it("marks them in tooltips, and in what a screen reader says", async () => {
    const name = "access\u202Egnp.exe";
    const assistants = [{ id: "a", name, description: name }];
    await panel.show({ ...idle, title: name, server: name, connection: name, assistants }, [
      { kind: "run", id: "r", runId: "r", assistantId: name, status: "running", strategy: name },
      { kind: "lane", id: "l", runId: "r", lane: name, parent: "", name, status: "running" },
      {
        kind: "message",
        id: "m",
        lane: "",
        role: name,
        name,
        streaming: false,
        text: `\`\`\`${name}\nx\n\`\`\``,
      },
      { kind: "message", id: "n", lane: "", role: "ai", streaming: false, text: `\`\`\`${name}\nx\n\`\`\`` },
    ]);
    const said: string[] = await panel.page.evaluate(`[...document.querySelectorAll("#root *")].flatMap(
      (element) => [...element.attributes].map(({ name, value }) => name + "=" + value))`);
    assert.ok(said.some((text) => text.includes("access[U+202E]gnp.exe")));
    assert.deepEqual(
      said.filter((text) => /\u202e/u.test(text) && !/^(value|data-row)=/.test(text)),
      [],
    );
  });

  it("takes only messages of the shapes it knows", async () => {
    await panel.show(idle, []);
    for (const message of [null, 7, "snapshot", { type: "toString" }, { type: "eval", code: "1" }, []]) {
      await panel.page.evaluate(`panelHost.deliver(${JSON.stringify(message)})`);
    }
    await panel.page.getByText("Nothing here yet").waitFor();
    assert.deepEqual(panel.complaints, []);
  });
});
