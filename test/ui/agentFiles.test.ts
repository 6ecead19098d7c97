import { deepEqual, equal, match } from "node:assert/strict";

import type { ManagedAgents } from "../../src/api/managedAgents/index.ts";
import { useWorkbench } from "../host/workbench.ts";
import { managedAgentsOf } from "../support/managedAgentsOf.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { FileExplorer } from "./pages/fileExplorer.ts";
import { Keyboard } from "./pages/hands.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { until } from "./pages/waiting.ts";
import { TextEditor } from "./pages/textEditor.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

const comparison = "AGENTS.md (platform ↔ yours)";

describe("A managed agent's files, by keyboard alone", () => {
  const workbench = useWorkbench({ size: { width: 1440, height: 900 } });
  useKeyboardAlone(workbench);
  let platform: LocalPlatform;
  let agents: ManagedAgents["agents"];
  let agentId: string;
  let window: WorkbenchPage;
  let editor: TextEditor;

  before(async () => {
    platform = await LocalPlatform.start();
    ({ agents } = managedAgentsOf(platform));
    ({ id: agentId } = await agents.create({ name: "Gardener", system_prompt: "Water at dawn." }));
    window = new WorkbenchPage(workbench.page);
    editor = new TextEditor(workbench.page, new Keyboard(workbench.page));
    await window.sideBar.open();
    await window.addPlatform(platform.ready);
  });

  after(() => platform.remove());

  it("are shown beside what somebody else saved meanwhile, and saved over it when a person says so", async () => {
    await window.sideBar.agents.chooseFor("Gardener", "Open Agent File…");
    await window.quickInput.choose("AGENTS.md");
    await until("the file is shown", async () => (await editor.text()) === "Water at dawn.");
    deepEqual((await editor.breadcrumbs()).slice(0, 3), ["Platform", "Gardener", "AGENTS.md"]);
    await saveOver("Water at noon.", "Water at dusk.\nPrune in March.");
    match(
      (await window.notifications.texts()).join("\n"),
      /changed on the platform since you opened it\. What you typed is still here.*“Overwrite with Yours” or “Use Theirs”/,
    );
    equal((await agents.get(agentId)).system_prompt, "Water at noon.");
    await window.palette.run("Agents: Overwrite Agent File with Yours");
    await until("only the file is open", async () => !(await window.tabs.tab(comparison).isVisible()));
    equal((await agents.get(agentId)).system_prompt, "Water at dusk.\nPrune in March.");
    equal(await window.palette.offers("Agents: Overwrite Agent File with Yours"), false);
  });

  it("are replaced by what somebody else saved, and what was typed comes back when that is undone", async () => {
    await saveOver("Water at night.", "Water never.");
    await window.palette.run("Agents: Use Platform's Version of Agent File");
    await until("only the file is open", async () => !(await window.tabs.tab(comparison).isVisible()));
    await until("theirs is shown", async () => (await editor.text()) === "Water at night.");
    equal((await agents.get(agentId)).system_prompt, "Water at night.");
    await editor.focus();
    await workbench.page.keyboard.press("ControlOrMeta+Z");
    await until("what was typed is back", async () => (await editor.text()) === "Water never.");
    await workbench.page.keyboard.press("ControlOrMeta+S");
    await until("it is saved", async () => (await agents.get(agentId)).system_prompt === "Water never.");
  });

  it("are no longer compared once the editor's own Revert took what somebody else saved", async () => {
    await saveOver("Water in spring.", "Water in autumn.");
    await window.notifications.answer("changed on the platform", "Revert");
    await until("only the file is open", async () => !(await window.tabs.tab(comparison).isVisible()));
    await until("theirs is shown", async () => (await editor.text()) === "Water in spring.");
    equal((await agents.get(agentId)).system_prompt, "Water in spring.");
    equal(await window.palette.offers("Agents: Use Platform's Version of Agent File"), false);
    await window.tabs.close();
  });

  it("stand in the explorer as a folder of the workspace, named as the agent", async () => {
    await window.sideBar.open();
    await workbench.reloadedBy(() =>
      window.sideBar.agents.chooseFor("Gardener", "Add Agent as Workspace Folder"),
    );
    const explorer = new FileExplorer(workbench.page);
    await explorer.openWorkspace(() => workbench.reload());
    await explorer.collapse("Gardener");
    deepEqual(await explorer.below("Gardener"), []);
    await explorer.expand("Gardener");
    deepEqual(await explorer.below("Gardener"), ["agent.json", "AGENTS.md"]);
    await explorer.show("AGENTS.md");
    await until("its text is shown", async () => (await editor.text()) === "Water in spring.");
    match(await window.tabs.active(), /AGENTS/);
  });

  /** Saves a text after somebody else saved another, and waits until both are shown. */
  async function saveOver(theirs: string, mine: string): Promise<void> {
    await editor.type(mine);
    await agents.update(agentId, { system_prompt: theirs });
    await workbench.page.keyboard.press("ControlOrMeta+S");
    await window.tabs.tab(comparison).waitFor();
    await until("theirs is on the left", async () => (await editor.comparedText()) === theirs);
    await until("mine is on the right", async () => (await editor.text()) === mine);
  }
});
