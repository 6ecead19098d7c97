import { deepEqual, equal, match, ok } from "node:assert/strict";

import { useWorkbench } from "../host/workbench.ts";
import { localAgentServer } from "../support/localAgentServer.ts";
import { list, LocalPlatform, say } from "../support/localPlatform.ts";
import { repairIncident } from "./incident.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { appears, until } from "./pages/waiting.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("Threads in the side bar, by keyboard alone", () => {
  const workbench = useWorkbench({ settings: { "agentOperations.refreshSeconds": 2 } });
  useKeyboardAlone(workbench);
  let platform: LocalPlatform;
  let second: LocalPlatform | undefined;
  let window: WorkbenchPage;

  before(async () => {
    platform = await LocalPlatform.start();
    window = new WorkbenchPage(workbench.page);
  });

  after(async () => {
    await platform.remove();
    await second?.remove();
  });

  it("are listed after the server was added with its key", async () => {
    for (const title of ["Apples", "Bread", "Cheese"]) await platform.thread({ title });
    await window.sideBar.open();
    const { deploymentUrl, apiKey } = platform.ready;
    await window.addConnection(/Agent server/, [deploymentUrl, "Kitchen", apiKey], "Kitchen");
    await window.sideBar.deployments.goTo("Apples");
  });

  it("keep selection and expansion while others change them", async () => {
    const { deployments } = window.sideBar;
    await deployments.collapse("Waiting");
    await deployments.goTo("Bread");
    const row = deployments.row("Bread");
    const id = await focusedRow();
    await platform.thread({ title: "Dates" });
    await deployments.row("Dates").waitFor();
    equal(await focusedRow(), id);
    match((await row.getAttribute("class")) ?? "", /focused/);
    equal(await deployments.row("Waiting").getAttribute("aria-expanded"), "false");
  });

  it("are renamed from their menu, and with F2 where the focus is, whatever is selected", async () => {
    const { deployments } = window.sideBar;
    await deployments.openMenu("Bread");
    const entries = await deployments.menu.labels();
    ok(!entries.some((entry) => entry.includes("API Key")), entries.join(", "));
    const renaming = deployments.menu.root.locator(".action-item.focused", { hasText: "Rename Thread…" });
    await until("the menu is at Rename Thread…", async () => {
      if (await renaming.isVisible()) return true;
      await window.page.keyboard.press("ArrowDown");
      return false;
    });
    await window.page.keyboard.press("Enter");
    await deployments.menu.root.waitFor({ state: "hidden" });
    await rename("Bread", "Rye bread");
    await deployments.open("Rye bread");
    await until("its panel is open", async () => (await window.tabs.titles()).includes("Rye bread"));
    // The first press of a window counts for the row that it was made on, however fast the next key follows.
    await pressF2("Dates", "ArrowDown");
    await rename("Dates", "Ripe dates");
    await deployments.row("Ripe dates").waitFor();
    await pressF2("Rye bread");
    await rename("Rye bread", "Dark bread");
    await deployments.row("Dark bread").waitFor();
    await until("its panel is renamed, too", async () => (await window.tabs.titles()).includes("Dark bread"));
  });

  it("are deleted with Delete where the focus is, and only threads are", async () => {
    const { deployments } = window.sideBar;
    await deployments.goTo("Kitchen");
    await window.page.keyboard.press("Delete");
    await deployments.goTo("Ripe dates");
    await window.page.keyboard.press("Delete");
    match(await window.dialog.text(), /Delete the thread “Ripe dates”\?/);
    await window.dialog.dismiss();
  });

  it("are deleted together with Delete, after one question", async () => {
    const { deployments } = window.sideBar;
    await deployments.goTo("Ripe dates");
    await window.page.keyboard.press("Escape");
    await deployments.toggle("Cheese");
    await deployments.toggle("Apples");
    await window.page.keyboard.press("Delete");
    match(await window.dialog.text(), /Delete 2 threads\?/);
    await window.dialog.answer("Delete");
    await until("both are gone", async () => {
      const labels = await deployments.labels();
      return !labels.includes("Cheese") && !labels.includes("Apples") && labels.includes("Dark bread");
    });
    for (const title of ["Cheese", "Apples"]) {
      const { body } = await platform.send("POST", "/threads/search", { metadata: { title } });
      deepEqual(body, []);
    }
  });

  it("are searched, and shown again with one command", async () => {
    const { deployments } = window.sideBar;
    await search("DARK");
    await until("one thread is left", async () => {
      const labels = await deployments.labels();
      return labels.includes("Dark bread") && !labels.includes("Ripe dates");
    });
    await search("nothing is called so");
    await deployments.welcome.getByText("No thread matches the filter.").waitFor();
    await deployments.pressWelcome("Clear Filter");
    await deployments.row("Ripe dates").waitFor();
    await until("the view has the focus", () => deployments.focused());
    await deployments.goTo("Ripe dates");
  });

  it("that failed are repaired together, from the Failures view to the report", async () => {
    await repairIncident({
      ...{ window, name: "Kitchen", server: localAgentServer(platform) },
      take: (name) => window.look(`incident-${name}`),
    });
  });

  it("are found by name from the palette", async () => {
    await window.palette.run("Agents: Open Thread…");
    await window.quickInput.titled("Open Thread");
    await window.quickInput.type("dat");
    await window.quickInput.goTo("Ripe dates");
    await until("only what has the text is left", async () => {
      const labels = await window.quickInput.labels();
      return labels.length > 1 && !labels.includes("Say hello");
    });
    await workbench.page.keyboard.press("Enter");
    await until("the panel is open", async () => (await window.tabs.active()) === "Ripe dates");
    ok(await window.palette.offers("Agents: Open Thread State"));
  });

  it("have their runs stopped together, are cloned from the Inbox, and deleted by age", async () => {
    const { quickInput, dialog, notifications, sideBar } = window;
    for (const title of ["Bake loaves", "Roast nuts"]) {
      const run = { assistant_id: "slow", input: { ...say("Work"), seconds: 600 } };
      await platform.send("POST", `/threads/${await platform.thread({ title })}/runs`, run);
    }
    await sideBar.deployments.chooseFor("Kitchen", "Stop Runs of Threads…");
    await dialog.root.waitFor();
    match(await dialog.text(), /Stop 2 runs\?/);
    await dialog.answer("Stop");
    await notifications.answer(/is stopped\. Go on\?/, "Continue");
    await notifications.clear(/Stop 2 runs: 2 stopped\./);
    equal(await busy(), 0);

    await sideBar.inbox.chooseFor(/send_email/, "Clone Thread…");
    await quickInput.choose("approval");
    await window.page.getByText(/Keys whose values are not to leave/).waitFor();
    await quickInput.answer("email");
    await dialog.answer("Clone");
    await until("the clone is open", async () => /^Ask before/.test(await window.tabs.active()));

    await sideBar.deployments.chooseFor("Kitchen", "Delete Threads by Age…");
    await quickInput.choose(/Another number of days/);
    await until("the days are asked for", async () => (await quickInput.field.inputValue()) === "30");
    await quickInput.answer("0");
    await quickInput.option(/^idle/).waitFor();
    await window.page.keyboard.press("Enter");
    await quickInput.choose(/Delete them/);
    await quickInput.choose("10 at a time");
    await dialog.root.waitFor();
    match(await dialog.text(), /Delete \d+ threads unchanged for 0 days\?[^]*can't be undone/);
    await dialog.answer("Delete");
    await notifications.answer(/is deleted\. Go on\?/, "Continue");
    await notifications.saying(/: \d+ deleted\./).waitFor();
    await until("what waits is left", async () => {
      const labels = await sideBar.deployments.labels();
      return labels.includes("Waiting") && !labels.includes("Idle");
    });
  });

  it("that wait are counted on all connections after a reload, though none is unfolded, nor the Inbox", async () => {
    const { sideBar, statusBar } = window;
    const { deployments } = sideBar;
    second = await LocalPlatform.start();
    const { deploymentUrl, apiKey } = second.ready;
    await window.addConnection(/Agent server/, [deploymentUrl, "Pantry", apiKey], "Pantry");
    for (const name of ["Kitchen", "Pantry"]) await deployments.collapse(name);
    await sideBar.fold("Inbox");
    const counts = await Promise.all(
      [platform, second].map(async (one) => {
        const { body } = await one.send("POST", "/threads/count", { status: "interrupted" });
        return Number(body);
      }),
    );
    ok(counts.every((count) => count > 0));
    const waiting = counts.reduce((sum, count) => sum + count);
    await workbench.reloadedBy(() => window.palette.run("Developer: Reload Window"));
    await statusBar.entry(`${String(waiting)} waiting`).waitFor();
    const badge = workbench.page.getByLabel(`Agents - ${String(waiting)} threads wait for you`);
    await badge.first().waitFor();
    const stillFolded = [deployments.row("Kitchen"), deployments.row("Pantry"), sideBar.header("Inbox")];
    for (const one of stillFolded) equal(await one.getAttribute("aria-expanded"), "false");
  });

  async function busy(): Promise<number> {
    const { body } = await platform.send("POST", "/threads/search", { status: "busy" });
    return list(body).length;
  }

  /** A key that is pressed while the tree is drawn anew, as after each renaming, can be lost: it is pressed again. */
  async function pressF2(label: string, ...others: readonly string[]): Promise<void> {
    await until("F2 asks for a name", async () => {
      await window.sideBar.deployments.goTo(label);
      for (const key of ["F2", ...others]) await window.page.keyboard.press(key);
      return appears(window.quickInput.root, 5_000);
    });
  }

  async function rename(from: string, to: string): Promise<void> {
    await window.quickInput.titled("Rename Thread");
    await until("the box holds the name", async () => (await window.quickInput.field.inputValue()) === from);
    await window.quickInput.answer(to);
    await window.quickInput.root.waitFor({ state: "hidden" });
  }

  async function search(text: string): Promise<void> {
    await window.palette.run("Agents: Search Threads…");
    await window.quickInput.titled("Search Threads");
    await window.quickInput.answer(text);
    await window.quickInput.root.waitFor({ state: "hidden" });
  }

  async function focusedRow(): Promise<string | null> {
    return window.sideBar.deployments.tree.locator(".focused .label-name").first().textContent();
  }
});
