import { deepEqual, doesNotMatch, equal, match, ok, rejects } from "node:assert/strict";
import { mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { text } from "../support/localPlatform.ts";
import { readFolder } from "../../src/editor/agents/files/agentFolder.ts";
import { differences, layoutOf } from "../../src/editor/agents/files/agentTree.ts";
import { writeFolder } from "../../src/editor/agents/files/folderWrite.ts";
import { hostileNames, twins, usualNames } from "../support/hostileNames.ts";
import { theExtension } from "./extensionUnderTest.ts";
import {
  type AgentWithFiles,
  readText,
  workspaceRoot,
  writeText,
  useAgentWithFiles,
} from "./agentWithFiles.ts";

/** Where the workspace has the agent's files. */
const helper = "agents/helper";

describe("An agent's folder in the workspace", () => {
  let at: AgentWithFiles;

  /** A folder that is not the workspace's. */
  let outside: string;

  useAgentWithFiles((agent) => {
    at = agent;
  });
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), "outside-"));
  });
  afterEach(() => rm(outside, { recursive: true }));

  it("is pulled without hidden files, and pushed back after a review", async () => {
    await at.run("agent.pull", at.ref);
    deepEqual(await readText(helper, "AGENTS.md"), "Be brief.\n");
    deepEqual(await readText(helper, "docs/a.md"), "A");
    match(at.person.told.join("\n"), /1 file was left out: "\.vscode\/settings\.json" \(it is hidden\)/);
    await writeText(`${helper}/AGENTS.md`, "From disk");
    await writeText(`${helper}/skills/new/SKILL.md`, "New");
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(workspaceRoot(), helper, "docs/a.md"));
    const inHalves = () => vscode.window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label));
    at.person.will("cancel");
    await at.run("agent.push", at.ref);
    deepEqual(inHalves(), [["agent.json"], ["What is pushed to “Helper” (3 files)"]]);
    equal((await at.now()).system_prompt as unknown, "Be brief.\n");
    deepEqual(at.person.asked.at(-1)?.labels, [
      "$(cloud-upload) Push 3 files to “Helper”",
      "$(diff-modified) AGENTS.md",
      "$(diff-removed) docs/a.md",
      "$(diff-added) skills/new/SKILL.md",
    ]);
    at.person.will({ choose: /Push/ });
    await at.run("agent.push", at.ref);
    deepEqual(inHalves(), [["agent.json"]]);
    const files = (await at.now()).files ?? {};
    deepEqual(Object.keys(files).sort(), [
      ".vscode/settings.json",
      "AGENTS.md",
      "skills/new/SKILL.md",
      "skills/report/SKILL.md",
    ]);
    await at.run("agent.push", at.ref);
    equal(at.person.told.at(-1), "Nothing to push: “Helper” is the same as agents/helper.");
    await at.run("agent.compare", at.ref);
    match(at.person.told.at(-1) ?? "", /is the same as “Helper”/);
  });

  it("keeps what was changed there until a pull that names it is confirmed", async () => {
    await at.run("agent.pull", at.ref);
    await writeText(`${helper}/AGENTS.md`, "Precious");
    await at.run("agent.pull", at.ref);
    match(at.person.told.at(-1) ?? "", /Replace 1 file in agents\/helper.*\nAGENTS\.md \(changed\)/s);
    equal(await readText(helper, "AGENTS.md"), "Precious");
    at.person.press = (asked) => (asked.startsWith("Replace") ? "Replace" : undefined);
    await at.run("agent.pull", at.ref);
    equal(await readText(helper, "AGENTS.md"), "Be brief.\n");
  });

  it("sends nothing that a link leads to, and leaves on the platform what the link stands for", async () => {
    await at.run("agent.pull", at.ref);
    await writeFile(join(outside, "AGENTS.md"), "Not to be sent");
    await toBeLink(`${helper}/AGENTS.md`, "AGENTS.md");
    await toBeLink(`${helper}/skills/report`, "report");
    await writeText(`${helper}/docs/a.md`, "B");
    at.person.will({ choose: /Push/ });
    await at.run("agent.push", at.ref);
    match(
      at.person.told.join("\n"),
      /2 files were left out: "AGENTS\.md" \(it is a link\), "skills\/report" \(it is a link\)/,
    );
    deepEqual(at.person.asked.at(-1)?.labels.slice(1), ["$(diff-modified) docs/a.md"]);
    const { system_prompt: prompt, files = {} } = await at.now();
    equal(text(prompt), "Be brief.\n");
    ok("skills/report/SKILL.md" in files);
    await at.run("agent.compare", at.ref);
    match(at.person.told.at(-1) ?? "", /is the same as “Helper”/);
  });

  for (const linked of [`${helper}/AGENTS.md`, `${helper}/skills`, helper, "agents"]) {
    it(`is not pulled through a link at ${linked}, and then nothing is written at all`, async () => {
      await at.run("agent.pull", at.ref);
      await at.change({ system_prompt: "New", skills: [{ name: "report", instructions: "Do more." }] });
      const before = await readText(helper, "agent.json");
      await rename(join(workspaceRoot().fsPath, linked), join(outside, basename(linked)));
      await toBeLink(linked, basename(linked));
      at.person.presses("Replace");
      await at.run("agent.pull", at.ref);
      match(
        at.person.told.at(-1) ?? "",
        new RegExp(`Nothing was written, because of ${linked}: it is a link`),
      );
      equal(await readText(helper, "agent.json"), before);
    });
  }

  for (const [inTheWay, make] of Object.entries({
    "docs: it is a file": () => writeText(`${helper}/docs`, "a file"),
    "skills/zeta/SKILL.md: it is a folder": () =>
      writeText(`${helper}/skills/zeta/SKILL.md/x`, "in a folder"),
  })) {
    it(`is not pulled at all when something is in the way (${inTheWay})`, async () => {
      await at.run("agent.pull", at.ref);
      const [, name = ""] = /^(.*):/.exec(inTheWay) ?? [];
      await rm(join(workspaceRoot().fsPath, helper, name), { recursive: true, force: true });
      await make();
      const skills = ["report", "zeta"].map((skill) => ({ name: skill, instructions: "Do more." }));
      await at.change({ system_prompt: "New", skills });
      at.person.presses("Replace");
      await at.run("agent.pull", at.ref);
      match(at.person.told.at(-1) ?? "", new RegExp(`Nothing was written, because of ${helper}/${inTheWay}`));
      equal(await readText(helper, "AGENTS.md"), "Be brief.\n");
      deepEqual(await readdir(join(workspaceRoot().fsPath, "agents")), ["helper"]);
    });
  }

  it("is as it was when a file can't be written in the middle", async () => {
    await at.run("agent.pull", at.ref);
    await at.change({ system_prompt: "New", files: { "docs/a.md": "B", "docs/b.md": "B" }, skills: [] });
    const { tree } = await (await theExtension()).agents.store.fetch(at.ref);
    const folder = vscode.Uri.joinPath(workspaceRoot(), helper);
    const changes = differences((await readFolder(folder, ["docs/a.md"])).tree, tree);
    const kinds = changes.map(({ kind }) => kind);
    ok(kinds.includes("deleted") && kinds.includes("added") && kinds.includes("changed"), kinds.join());
    // What is to be deleted last is no longer there, which nobody can know before.
    const missing = { path: "docs/nowhere.md", kind: "deleted" } as const;
    await rejects(
      writeFolder(folder, tree, [...changes, missing]),
      /Nothing was written, because of docs\/nowhere\.md/,
    );
    equal(await readText(helper, "AGENTS.md"), "Be brief.\n");
    equal(await readText(helper, "docs/a.md"), "A");
    match(await readText(helper, "skills/report/SKILL.md"), /Do it/);
    deepEqual(await readdir(join(workspaceRoot().fsPath, helper, "docs")), ["a.md"]);
  });

  it("gets none of the names that mean harm, and all others", async () => {
    const store = (await theExtension()).agents.store;
    const { agent } = await store.fetch(at.ref);
    const names = [...hostileNames, ...usualNames, ...twins.flat()];
    const files = Object.fromEntries(names.map((name) => [name, { type: "file", content: name } as const]));
    const { tree } = layoutOf({ ...agent, files });
    const folder = vscode.Uri.joinPath(workspaceRoot(), helper);
    await writeFolder(folder, tree, differences(new Map(), tree));
    const entries = await readdir(folder.fsPath, { recursive: true, withFileTypes: true });
    const there = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    deepEqual(there.map((path) => path.slice(folder.fsPath.length + 1)).sort(), [...tree.keys()].sort());
    ok(usualNames.every((name) => tree.has(name)));
    deepEqual(await readdir(join(workspaceRoot().fsPath, "agents")), ["helper"]);
  });

  it("is not pulled over a file that can't be read as text before that file was named", async () => {
    await at.run("agent.pull", at.ref);
    await writeText(`${helper}/AGENTS.md`, "\0binary");
    await at.run("agent.pull", at.ref);
    match(at.person.told.at(-1) ?? "", /Replace 1 file in agents\/helper.*\nAGENTS\.md \(changed\)/s);
    equal(await readText(helper, "AGENTS.md"), "\0binary");
  });

  it("makes a new agent when it was never pushed", async () => {
    await writeText("agents/fresh/agent.json", '{ "name": "Fresh" }');
    await writeText("agents/fresh/AGENTS.md", "Hello");
    at.person.press = (asked) => (asked.startsWith("Create") ? "Create" : undefined);
    await at.run("agent.push");
    const { agent_id: id } = JSON.parse(await readText("agents/fresh/agent.json")) as { agent_id: string };
    const made = await at.client.get(`/agents/${id}`);
    deepEqual([text(made.name), text(made.system_prompt)], ["Fresh", "Hello"]);
    doesNotMatch(at.person.told.join("\n"), /error/i);
  });

  /** Puts a link in the place of what the workspace has there. */
  async function toBeLink(path: string, target: string): Promise<void> {
    const place = join(workspaceRoot().fsPath, path);
    await rm(place, { recursive: true, force: true });
    await symlink(join(outside, target), place);
  }
});
