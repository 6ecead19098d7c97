import { equal, match } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { useWorkbench } from "../host/workbench.ts";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";
import { Keyboard } from "./pages/hands.ts";
import { parquetFile } from "../support/parquetFile.ts";
import { DestinationSteps } from "./pages/destinationSteps.ts";
import { until } from "./pages/waiting.ts";
import { TreeView } from "./pages/treeView.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("Destinations in the side bar, by keyboard", () => {
  const workbench = useWorkbench({ size: { width: 1280, height: 900 } });
  let store: ObjectStore;
  let window: WorkbenchPage;
  let destinations: TreeView;
  let steps: DestinationSteps;

  before(async () => {
    store = await ObjectStore.start();
    window = new WorkbenchPage(workbench.page);
    steps = new DestinationSteps(window);
    destinations = new TreeView(workbench.page, new Keyboard(workbench.page), "Destinations");
  });
  after(() => store.stop());

  it("are created step by step, and with other keys when the first are refused", async () => {
    await window.sideBar.open();
    await window.palette.run("Agents: Start Local Platform");
    await window.sideBar.deployments.row("Local Platform").waitFor();
    await window.palette.run("Agents: Focus on Destinations View");
    await destinations.welcome.getByRole("button", { name: "Create Destination" }).waitFor();
    await steps.describe(store, "Trace archive");
    await steps.typeKeys("not-the-secret-0123456789");
    await window.quickInput.choose(/Create/);
    await window.notifications.answer(/was not created\. Access denied/, "Enter Other Credentials");
    await steps.typeKeys(knownKey.secret_access_key);
    await destinations.row("Trace archive").waitFor();
    equal(await destinations.description("Trace archive"), `${bucketName}/team/traces`);
  });

  it("get traces exported, which is watched to its end", async () => {
    await steps.export("Trace archive", "A week ago");
    await window.notifications.saying(/has ended: Completed, \d+ rows in \d+ files?/).waitFor();
    await destinations.expand("Trace archive");
    await destinations.row("Credentials").waitFor();
    await destinations.expand(/ – /);
    await window.look("destinations");
  });

  it("hold Parquet files that open as a table", async () => {
    await steps.openTable(store, workbench.profile.workspace);
    const frame = window.runPanel.frame();
    const grid = frame.getByRole("grid");
    match(await frame.locator(".bar .facts").innerText(), /rows? · 29 columns · 1 row group/);
    await grid.press("End");
    await grid.press("Home");
    for (let column = 0; column < 15; column++) await grid.press("ArrowRight");
    await grid.press("Enter");
    await frame.getByRole("tree", { name: "Value" }).waitFor();
    await window.look("table", ["light", "dark"]);
    equal(await frame.getByRole("alert").count(), 0);
  });

  it("are searched in their table by the keys of the editor's own search", async () => {
    const frame = window.runPanel.frame();
    const grid = frame.getByRole("grid");
    await grid.press("Control+f");
    const box = frame.getByRole("textbox", { name: "Search in the table" });
    await until("the caret is in the box", () => frame.locator(".find-bar input:focus").isVisible());
    await workbench.page.keyboard.type("success");
    await frame
      .locator(".find-count")
      .getByText(/^\d+ of \d+/)
      .waitFor();
    await until("the cell is marked", () => frame.locator(".cell.found.active").isVisible());
    await window.look("table-search");
    await box.press("Escape");
    await until("the table has the focus", () => frame.locator(".grid:focus").isVisible());
    await grid.press("Home");
    for (let column = 0; column < 15; column++) await grid.press("ArrowRight");
  });

  it("show their table again where it was after a reload of the window, and its file's new rows", async () => {
    const grid = window.runPanel.frame().getByRole("grid");
    await grid.press("Escape");
    await grid.press("+");
    const [active, width] = await shown();
    match(active ?? "", /^cell-\d+-15$/);
    await workbench.reloadedBy(() => window.palette.run("Developer: Reload Window"));
    await until("the same cell is active in a column as wide", async () => {
      const [after, wide] = await shown();
      return after === active && wide === width;
    });
    const numbers = Array.from({ length: 12_345 }, (_, index) => index);
    const file = parquetFile([{ name: "n", data: numbers, type: "INT32" }]);
    const told = window.runPanel.frame().getByText("12,345 rows · 1 column");
    // The editor watches files only some time after a reload.
    await until(
      "the new rows are told",
      async () => {
        await writeFile(join(workbench.profile.workspace, "spans.parquet"), file);
        return told.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      },
      30_000,
    );

    async function shown(): Promise<[string | null, number | undefined]> {
      const frame = window.runPanel.frame();
      const id = await frame.getByRole("grid").getAttribute("aria-activedescendant");
      const box = id === null ? null : await frame.locator(`#${id}`).boundingBox();
      return [id, box?.width];
    }
  });
});
