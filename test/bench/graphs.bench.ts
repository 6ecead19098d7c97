/**
 * F5 in a folder of graphs, in a real window: how long until a node is held, and held again after its file was saved, beside
 * the project's own command line alone. Then its file is saved again and again while runs go on: each is told of.
 */

import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listProcesses, processesBelow } from "../../src/editor/kit/nodeProcess.ts";
import { freePort, isOk } from "../../src/editor/workspaceGraphs/serverProcess.ts";
import { closeEditors } from "../host/openEditor.ts";
import { startProcessGroup } from "../host/processGroup.ts";
import { Workbench } from "../host/workbench.ts";
import { installPeer } from "../peers/install.ts";
import { layGraphProject } from "../ui/graphProject.ts";
import { Conversation } from "../ui/pages/conversation.ts";
import { Keyboard } from "../ui/pages/hands.ts";
import { TextEditor } from "../ui/pages/textEditor.ts";
import { until } from "../ui/pages/waiting.ts";
import { WorkbenchPage } from "../ui/pages/workbenchPage.ts";
import { median, projectFolder, report, versionOf } from "./report.ts";

const rounds = Number(process.env["ROUNDS"] ?? 3);
const saves = Number(process.env["SAVES"] ?? 20);
const slowMs = 90_000;
const source = "planner.mts";

/** Milliseconds, and megabytes of all processes of the server together. */
interface Round {
  readonly ready: number;
  readonly hit: number;
  readonly hitAgain: number;
  readonly debugged: number;
}

/** A window with the graphs in its folder, and the log of their server. */
async function openGraphs() {
  const workbench = new Workbench({ size: { width: 1400, height: 860 } });
  await workbench.open();
  const { page, profile } = workbench;
  const folder = join(profile.workspace, "planner");
  await layGraphProject(folder);
  const window = new WorkbenchPage(page);
  await window.sideBar.open();
  await window.sideBar.deployments.row("planner").waitFor();
  const log = async (): Promise<string> => {
    const files = await readdir(profile.userData, { recursive: true });
    const file = files.find((name) => name.endsWith("server.log"));
    return file === undefined ? "" : readFile(join(profile.userData, file), "utf8");
  };
  return {
    ...{ page, window, conversation: new Conversation(page), file: join(folder, "graphs", source) },
    loads: async () => (await log()).split("Server running at").length - 1,
    megabytes: async () => {
      const all = await listProcesses();
      const supervisor = all.find(
        ({ command }) => command.includes("graphSupervisor") && command.includes(profile.root),
      );
      return processesBelow(all, supervisor?.pid ?? 0).reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    },
    close: async () => {
      // A node that is held brings the debugger's own view to the front.
      await window.sideBar.open();
      await window.palette.run("Agents: Stop Graphs");
      const row = () => window.sideBar.deployments.description("planner");
      await until("the graphs are stopped", async () => (await row()) === "stopped");
      await workbench.close();
    },
  };
}

async function debugged(): Promise<Round> {
  const { page, window, conversation, file, loads, megabytes, close } = await openGraphs();
  const since = (begun: number) => performance.now() - begun;
  const held = () =>
    conversation.sessionState.filter({ hasText: "Paused in plan" }).waitFor({ timeout: slowMs });
  const runTo = async (): Promise<number> => {
    await conversation.writeJson({ task: "Write a report" });
    const begun = performance.now();
    await page.keyboard.press("Control+Enter");
    await held();
    return since(begun);
  };
  const lines = (await readFile(file, "utf8")).split("\n");
  const line = lines.findIndex((text) => text.includes("const steps = [")) + 1;
  await page.keyboard.press("ControlOrMeta+P");
  await window.quickInput.type(`${source}:${String(line)}`);
  await window.quickInput.option(source).waitFor();
  await page.keyboard.press("Enter");
  await window.tabs.tab(source).waitFor();
  const code = new TextEditor(page, new Keyboard(page));
  await code.focus();
  await page.keyboard.press("F9");
  const pressed = performance.now();
  await page.keyboard.press("F5");
  await conversation.composer.waitFor({ timeout: slowMs });
  const ready = since(pressed);
  const hit = await runTo();
  await code.focus();
  await page.keyboard.press("F5");
  await conversation.idle();
  const before = await loads();
  await conversation.composer.click();
  const saved = performance.now();
  await appendFile(file, "// Saved.\n");
  await until("the graphs are loaded anew", async () => (await loads()) > before, slowMs);
  const reloaded = since(saved);
  const hitAgain = reloaded + (await runTo());
  const withDebugger = await megabytes();
  await code.focus();
  await page.keyboard.press("F5");
  await conversation.idle();
  await close();
  return { ready, hit, hitAgain, debugged: withDebugger };
}

/** The same graphs by the command line that they have installed: until it answers, and its memory. */
async function byCommandLine(): Promise<{ readonly ready: number; readonly megabytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), "agent-operations-bench-"));
  await layGraphProject(folder);
  const port = await freePort(0);
  const cli = join(folder, "node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs");
  const args = [cli, "dev", "--no-browser", "--host", "127.0.0.1", "--port", String(port)];
  const begun = performance.now();
  const group = startProcessGroup(process.execPath, args, {
    cwd: folder,
    env: { LANGGRAPH_CLI_NO_ANALYTICS: "1", BROWSER: "none" },
  });
  try {
    await until("it answers", () => isOk(`http://127.0.0.1:${String(port)}`), slowMs);
    const ready = performance.now() - begun;
    const below = processesBelow(await listProcesses(), group.pid);
    return { ready, megabytes: below.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6 };
  } finally {
    await group.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How many runs are told to be stranded, of as many as were going on when the file was saved. */
async function savedDuringRuns(): Promise<number> {
  const { page, window, conversation, file, loads, close } = await openGraphs();
  const text = (await readFile(file, "utf8")).replace("setTimeout(done, 10)", "setTimeout(done, 600_000)");
  await writeFile(file, text);
  await window.palette.run("Agents: Start Graphs");
  await window.sideBar.deployments.row("Graphs").waitFor({ timeout: slowMs });
  let told = 0;
  for (let save = 1; save <= saves; save += 1) {
    await window.palette.run("Agents: New Thread…");
    await conversation.titled("New thread");
    await conversation.writeJson({ task: `Save ${String(save)}` });
    await page.keyboard.press("Control+Enter");
    const panel = window.runPanel.frame();
    await panel.locator(".step-name", { hasText: "plan" }).waitFor({ timeout: slowMs });
    const before = await loads();
    await writeFile(file, `${text}// Saved ${String(save)} times.\n`);
    await until("the graphs are loaded anew", async () => (await loads()) > before, slowMs);
    const stranded = panel.locator(".banner.warning", { hasText: "This run seems to be stranded" });
    told += await stranded.waitFor({ timeout: slowMs }).then(
      () => 1,
      () => 0,
    );
  }
  await close();
  return told;
}

await installPeer();
try {
  const held: Round[] = [];
  const alone: Awaited<ReturnType<typeof byCommandLine>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await byCommandLine());
    held.push(await debugged());
  }
  const of = (name: keyof Round): number => median(held.map((one) => one[name]));
  const told = await savedDuringRuns();
  report(
    `F5 in a folder of graphs, in a real window, medians of ${String(rounds)} windows`,
    [
      {
        "F5 to a thread that can run ms": of("ready"),
        "run to held in the panel ms": of("hit"),
        "file saved to held again ms": of("hitAgain"),
        "server under the debugger MB": of("debugged"),
        "its command line alone, to its first answer ms": median(alone.map(({ ready }) => ready)),
        "and its memory MB": median(alone.map(({ megabytes }) => megabytes)),
      },
    ],
    [
      `${String(told)} of ${String(saves)} runs that were going on when the file was saved were told to be stranded.`,
      versionOf(join(projectFolder, "test/peers/langgraph"), "@langchain/langgraph-cli"),
    ],
  );
  if (told < saves) process.exitCode = 1;
} finally {
  await closeEditors();
}
process.exit();
