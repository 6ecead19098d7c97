import { equal, match } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { repository } from "../host/places.ts";
import { useWorkbench } from "../host/workbench.ts";
import { bucketName, knownKey, ObjectStore } from "../peers/objectStore.ts";
import { Keyboard } from "./pages/hands.ts";
import { until } from "./pages/patience.ts";
import { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("Destinations in the side bar, by keyboard", function () {
  this.timeout(90_000);
  const workbench = useWorkbench({ size: { width: 1280, height: 900 } });
  let store: ObjectStore;
  let window: WorkbenchPage;
  let destinations: TreeView;

  before(async () => {
    store = await ObjectStore.start();
    window = new WorkbenchPage(workbench.page);
    destinations = new TreeView(workbench.page, new Keyboard(workbench.page), "Destinations");
  });
  after(() => store.stop());

  it("are created step by step, and with other keys when the first are refused", async () => {
    await window.sideBar.open();
    await window.palette.run("Agents: Start Local Platform");
    await window.sideBar.deployments.row("Local Platform").waitFor();
    await window.palette.run("Agents: Focus on Destinations View");
    await destinations.welcome.getByRole("button", { name: "Create Destination" }).waitFor();
    await window.palette.run("Agents: Create Destination…");
    await window.quickInput.choose(/S3-compatible store/);
    await answer("(2/9)", store.url);
    await answer("(3/9)", bucketName);
    await window.quickInput.titled("(4/9)");
    await window.quickInput.choose("Yes");
    await window.quickInput.titled("(5/9)");
    await window.quickInput.choose("auto");
    await answer("(6/9)", "team/traces");
    await answer("(7/9)", "Trace archive");
    await typeKeys("not-the-secret-0123456789");
    await window.quickInput.choose(/Create/);
    await window.notifications.answer(/was not created\. Access denied/, "Enter Other Credentials");
    await typeKeys(knownKey.secret_access_key);
    await destinations.row("Trace archive").waitFor();
    equal(await destinations.description("Trace archive"), `${bucketName}/team/traces`);
  });

  it("get traces exported, which is watched to its end", async () => {
    await window.palette.run("Agents: Export Traces…");
    await window.quickInput.titled("Export Traces");
    await window.quickInput.choose("Trace archive");
    await window.quickInput.choose(/Sample deployment/);
    await window.quickInput.choose(/Once/);
    await window.quickInput.choose("A week ago");
    await answer("(4/5)", "");
    await window.quickInput.choose(/Export/);
    await window.notifications.saying(/has ended: Completed, \d+ rows in \d+ files?/).waitFor();
    await destinations.expand("Trace archive");
    await destinations.row("Credentials").waitFor();
    await destinations.expand(/ – /);
    await picture("destinations-dark");
  });

  it("hold Parquet files that open as a table", async () => {
    const [key = ""] = (await store.keys()).filter((name) => name.endsWith(".parquet"));
    await writeFile(join(workbench.profile.workspace, "spans.parquet"), await store.read(key));
    await window.palette.run("Go to File...");
    await window.quickInput.type("spans.parquet");
    await window.quickInput.choose("spans.parquet");
    const frame = window.runPanel.frame();
    const grid = frame.getByRole("grid");
    await grid.waitFor();
    await frame.locator("#cell-0-0 .value").waitFor();
    match(await frame.locator(".bar .facts").innerText(), /rows? · 29 columns · 1 row group/);
    await grid.press("End");
    await grid.press("Home");
    for (let column = 0; column < 15; column++) await grid.press("ArrowRight");
    await grid.press("Enter");
    await frame.getByRole("tree", { name: "Value" }).waitFor();
    await picture("table-dark");
    await window.theme.use("light");
    await picture("table-light");
    equal(await frame.getByRole("alert").count(), 0);
  });

  async function answer(step: string, text: string): Promise<void> {
    await window.quickInput.titled(step);
    await window.quickInput.answer(text);
  }

  async function typeKeys(secret: string): Promise<void> {
    await window.quickInput.choose(/Type them/);
    for (const [prompt, text] of [
      [/Access key id/, knownKey.access_key_id],
      [/Secret access key/, secret],
      [/Session token/, ""],
    ] as const) {
      await until("the next key is asked for", async () => prompt.test(await window.quickInput.message()));
      equal(await window.quickInput.field.getAttribute("type"), "password");
      await window.quickInput.answer(text);
    }
  }

  async function picture(name: string): Promise<void> {
    const folder = join(repository, "out/screenshots");
    await mkdir(folder, { recursive: true });
    await window.picture(join(folder, `${name}.png`));
  }
});
