import { strict as assert } from "node:assert";

import { useWorkbench } from "../host/workbench.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("The workbench", () => {
  const workbench = useWorkbench();
  let window: WorkbenchPage;

  beforeEach(() => {
    window = new WorkbenchPage(workbench.page);
  });

  it("starts with no editor open, no question asked and nothing said", async () => {
    assert.deepEqual(await window.tabs.titles(), []);
    assert.deepEqual(await window.notifications.texts(), []);
    assert.equal(await window.dialog.root.count(), 0);
  });

  it("offers our commands under their category, and none that does not exist", async () => {
    assert.equal(await window.palette.offers("Agents: Add Connection…"), true);
    assert.equal(await window.palette.offers("Agents: No Such Command"), false);
  });

  it("shows our view when asked, and again after a reload", async () => {
    await window.sideBar.open();
    await workbench.reloadedBy(() => window.palette.run("Developer: Reload Window"));
    await window.sideBar.shown();
  });

  it("wears a dark, a light and a high-contrast theme", async () => {
    for (const theme of ["light", "highContrast", "dark"] as const) await window.theme.use(theme);
  });
});
