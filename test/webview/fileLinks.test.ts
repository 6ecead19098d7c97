import { strict as assert } from "node:assert";

import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("Paths in the run panel's texts", () => {
  const panel = usePanel({ height: 900 });
  const message = (text: string): Entry => ({
    kind: "message",
    id: "m",
    lane: "",
    role: "ai",
    streaming: false,
    text,
  });
  const links = () => panel.page.locator(".file-link");
  /** Each distinct path that the host was asked about, in order. */
  const asked = async () => (await panel.posted("findFiles")).flatMap(({ paths }) => paths);

  it("lead to their lines as soon as the host found the files, and no other path does", async () => {
    await panel.show(idle, [
      {
        kind: "run",
        id: "r",
        runId: "r",
        assistantId: "a",
        status: "error",
        error: "Error: x\n  at plan (file:///w/graph.mts:3:4)",
      },
      message('In `src/graph.mts:12:3`, not in src/gone.mts:5.\n\n```\n  File "x.py", line 9\n```'),
      { kind: "notice", id: "n", lane: "", level: "error", text: String.raw`C:\w\graph.ts:7 broke` },
    ]);
    const paths = ["file:///w/graph.mts", "src/graph.mts", "src/gone.mts", "x.py", String.raw`C:\w\graph.ts`];
    await until("all were asked about", async () => (await asked()).length === paths.length);
    assert.deepEqual(new Set(await asked()), new Set(paths));
    assert.equal(await links().count(), 0);
    await panel.deliver({ type: "files", found: paths.filter((path) => !path.includes("gone")) });
    await until("four are links", async () => (await links().count()) === 4);
    assert.deepEqual(await links().allInnerTexts(), [
      "file:///w/graph.mts:3:4",
      "src/graph.mts:12:3",
      'x.py", line 9',
      String.raw`C:\w\graph.ts:7`,
    ]);
    await links().nth(1).press("Enter");
    const place = { type: "openFile", path: "src/graph.mts", line: 12, column: 3 };
    assert.deepEqual(await panel.next("openFile"), place);
    await links().nth(2).click();
    await until("the second is asked for", async () => (await panel.posted("openFile")).length === 2);
    assert.deepEqual((await panel.posted("openFile")).at(-1), { type: "openFile", path: "x.py", line: 9 });
    assert.match(
      await panel.page.locator(".message").innerText(),
      /In src\/graph\.mts:12:3, not in src\/gone\.mts:5\./,
    );
  });

  it("are whole links also where colours or emphasis would divide them", async () => {
    await panel.show(idle, [
      message(
        "**src/a.py:1**, *src/b.py:2*, pkg/__init__.py:3 and __all__, a/__b__.c.\n\n```python\nraise src/app.py:4 # lib/gone.py:5\n```",
      ),
    ]);
    const paths = ["src/a.py", "src/b.py", "pkg/__init__.py", "src/app.py", "lib/gone.py"];
    await until("all were asked about", async () => (await asked()).length >= paths.length);
    await panel.page.locator(".code-keyword").first().waitFor();
    assert.equal(await links().count(), 0);
    await panel.deliver({ type: "files", found: paths.slice(0, 4) });
    const named = ["src/a.py:1", "src/b.py:2", "pkg/__init__.py:3", "src/app.py:4"];
    await until("four are links", async () => (await links().count()) === 4);
    assert.deepEqual(await links().allInnerTexts(), named);
    assert((await links().nth(3).locator("[class^=code-]").count()) > 0, "it keeps its colours");
    await links().nth(3).press("Enter");
    assert.deepEqual(await panel.next("openFile"), { type: "openFile", path: "src/app.py", line: 4 });
    const said = await panel.page.locator(".message").innerText();
    assert.match(said, /pkg\/__init__\.py:3 and all, a\/b\.c\./);
    assert.match(said, /raise src\/app\.py:4 # lib\/gone\.py:5/);
  });

  it("are asked about once, however often a text is drawn", async () => {
    const text = "src/graph.mts:1 and src/graph.mts:2, ";
    await panel.show(idle, [{ ...message(""), streaming: true } as Entry]);
    await panel.stream("m", Array<string>(30).fill(text));
    await panel.settled();
    assert.deepEqual(await asked(), ["src/graph.mts"]);
    await panel.deliver({ type: "files", found: ["src/graph.mts"] });
    await until("each is a link", async () => (await links().count()) === 60);
  });

  it("are no links within other links, nor may they run anything", async () => {
    await panel.show(idle, [
      message(
        "[src/graph.mts:1](https://example.com/a) [b](command:x.ts:3) command:workbench.ts:3 <a href='command:y'>src/a.ts:4</a>",
      ),
    ]);
    await until("they are asked about", async () => (await asked()).length > 0);
    await panel.deliver({ type: "files", found: ["src/graph.mts", "x.ts", "workbench.ts", "src/a.ts"] });
    await until("some are links", async () => (await links().count()) > 0);
    assert.equal(await panel.page.locator("a a").count(), 0);
    const addresses = await panel.page.evaluate<string[]>(
      "[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))",
    );
    assert.deepEqual([...new Set(addresses)].sort(), ["#", "https://example.com/a"]);
    for (const link of await links().all()) await link.click();
    for (const { type, path } of await panel.posted("openFile"))
      assert.deepEqual([type, /^[\w./]+$/.test(path)], ["openFile", true]);
    assert.equal(panel.page.url().endsWith("#"), false);
  });

  it("of a message of 5 MB keep the page at work", async () => {
    const lines = Array.from(
      { length: 150_000 },
      (_, index) => `  at plan (src/file${String(index)}.mts:${String(index)}:7)`,
    );
    const text = `\`\`\`\n${lines.join("\n")}`;
    assert(text.length > 5_000_000, String(text.length));
    await panel.show(idle, [
      message(text),
      { kind: "tool", id: "t", lane: "", name: "f", args: "", status: "done", result: text },
    ]);
    await panel.page.getByRole("button", { name: /^Show All/ }).click();
    await panel.settled();
    const paths = await asked();
    assert(paths.length > 0 && paths.length <= 2_000, `${String(paths.length)} paths asked about`);
    await panel.deliver({ type: "files", found: paths });
    await until("they are links", async () => (await links().count()) > 0);
    assert((await links().count()) <= 1_000, "few elements");
  });
});
