import { strict as assert } from "node:assert";

import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("Code in the run panel", () => {
  const panel = usePanel({ height: 900 });
  const say = (text: string, streaming = false) =>
    panel.show(idle, [{ kind: "message", id: "m", lane: "", role: "ai", streaming, text }]);
  const colours = () => panel.page.locator("code [class^=code-]");
  const languagesLoaded = (): Promise<boolean> =>
    panel.page.evaluate(
      "performance.getEntriesByType('resource').some(({ name }) => name.includes('/webview/languages'))",
    );

  it("gets its colours when the first of it is seen", async () => {
    await say("No code here.");
    await panel.settled();
    assert.equal(await languagesLoaded(), false);
    await say("```ts\nconst a = 1;\n```");
    await panel.page.locator("code .code-keyword", { hasText: "const" }).waitFor();
    assert.equal(await languagesLoaded(), true);
  });

  it("stays plain in a language that is not known, or none", async () => {
    await say("```ts\nlet a;\n```\n\n```klingon\nlet a = 1;\n```\n\n```\nlet b = 1;\n```");
    await colours().first().waitFor();
    assert.deepEqual(await panel.page.locator(".code-keyword").allInnerTexts(), ["let"]);
  });

  it("is coloured while it is written and never closed", async () => {
    await say("```py\n", true);
    await panel.stream("m", ["x = '''a", "\nif b\n", "'''\nif", " c: pass\n"]);
    await panel.page.locator("code .code-keyword", { hasText: "if" }).waitFor();
    assert.equal(await panel.page.locator("code").innerText(), "x = '''a\nif b\n'''\nif c: pass");
    assert.equal(await panel.page.locator("code .code-string", { hasText: "if b" }).count(), 1);
  });

  it("marks characters that would reorder or hide it", async () => {
    await say("```js\nif (a /*\u202e } \u2066*/) b(\u200b);\n```");
    await colours().first().waitFor();
    const marks = await panel.page.locator("code .hidden-character").allInnerTexts();
    assert.deepEqual(marks, ["[U+202E]", "[U+2066]", "[U+200B]"]);
  });

  it("keeps the page at work through a line of a megabyte and a block of thousands of lines", async () => {
    for (const code of ["let a = 1; ".repeat(100_000), "let a = 1;\n".repeat(3_000)]) {
      await say(`\`\`\`js\nlet first;\n${code}`);
      await panel.settled();
      await colours().first().waitFor();
      const elements = await panel.page.locator("code *").count();
      assert(elements < 10_000, `${elements} elements`);
    }
  });

  it("is opened in an editor with its language, and copied", async () => {
    await say("```python title=x\nprint(1)\n```");
    await panel.page.getByRole("button", { name: "Open Code in an Editor" }).click();
    const opened = await panel.next("openText");
    assert.deepEqual([opened.text, opened.language], ["print(1)", "python"]);
    await panel.page.getByRole("button", { name: "Copy Code" }).click();
    assert.equal((await panel.next("copy")).text, "print(1)");
  });

  it("colours the arguments of a tool as JSON", async () => {
    const tool = { kind: "tool", id: "t", lane: "", name: "f", status: "done", result: "plain" } as const;
    await panel.show(idle, [{ ...tool, args: '{"a":[1,true,"b"]}' }]);
    await panel.page.locator(".disclosure-head").click();
    await until("four colours", async () => (await panel.page.locator("pre [class^=code-]").count()) === 4);
    assert.equal(await panel.page.getByRole("group", { name: "Result" }).innerText(), "plain");
  });
});
