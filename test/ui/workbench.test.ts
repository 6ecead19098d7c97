import { strict as assert } from "node:assert";

import { useWorkbench } from "../host/workbench.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("The workbench", () => {
  const workbench = useWorkbench();

  it("shows our view when its command is run", async () => {
    const window = new WorkbenchPage(workbench.page);
    await window.sideBar.open();
    assert.deepEqual(await window.tabs.titles(), [], "an editor opened by itself");
  });

  it("wears a dark, a light and a high-contrast theme", async () => {
    const window = new WorkbenchPage(workbench.page);
    for (const theme of ["light", "highContrast", "dark"] as const) await window.theme.use(theme);
  });
});
