import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { agentFolderUri } from "../../src/editor/agents/files/agentUri.ts";
import { STATE_SCHEME } from "../../src/editor/kit/ids.ts";
import { readEndpoints } from "../support/interface.ts";
import { until } from "../support/until.ts";
import { type } from "./agentWithFiles.ts";
import { ChangedSite } from "./changedSite.ts";
import type { Start } from "./changedSite.ts";
import { changingCommands, onLocalPlatform, onOwnGraphs, openingPanels } from "./changingCommands.ts";
import { theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("Everything that changes something on a protected connection asks first:", () => {
  let extension: Extension;
  let site: ChangedSite;
  let person: Person;
  /** What was sent to change something, as "METHOD /path". */
  let sent: string[];
  let listening: vscode.Disposable;

  before(async () => {
    extension = await theExtension();
    site = await ChangedSite.start(extension);
  });
  after(() => site.remove());
  beforeEach(async () => {
    await site.connect();
    person = new Person();
    sent = [];
    listening = extension.transport.onDidMakeChange(({ exchange: { method, url } }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
    });
  });
  afterEach(async () => {
    listening.dispose();
    person[Symbol.dispose]();
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await site.unpull();
  });

  for (const [command, prepare] of Object.entries(changingCommands)) {
    it(`${command} sends nothing until the person agrees`, async () => {
      const prepared = await prepare(site);
      await start(command, prepared, isGuard);
      const asked = person.told.filter(isGuard);
      equal(asked.length, 1, `asked ${String(asked.length)} times: ${person.told.join("\n")}`);
      match(asked[0] ?? "", /^Production: /);
      deepEqual(sent, []);
      await start(command, prepared, () => false);
      await until("it was sent", () => sent.length > 0);
      equal(person.told.filter(isGuard).length, 1, person.told.join("\n"));
    });
  }

  it("no command is left out that sends a changing request", () => {
    const { all } = readEndpoints(process.env["AGENT_OPERATIONS_REPO"] ?? ".");
    const reading = /\/(search|count|history|stream\/events)$|^POST \/api\/threads\/\{thread_id\}\/stream$/;
    const changing = all.filter(({ name }) => !name.startsWith("GET ") && !reading.test(name));
    const commands = new Set(changing.flatMap((endpoint) => endpoint.commands));
    const known = [...Object.keys(changingCommands), ...onLocalPlatform, ...onOwnGraphs, ...openingPanels];
    deepEqual(
      [...commands].filter((command) => !known.includes(command)),
      [],
    );
  });

  it("a saved, a deleted and a renamed file of an agent", async () => {
    const agent = await site.managed.api.agents.create({
      name: site.name("Agent"),
      system_prompt: "Be brief.",
      skills: [{ name: "report", description: "Reports", instructions: "Do it." }],
    });
    const { connectionId } = site;
    const root = agentFolderUri(
      { connectionId, agentId: agent.id },
      { platform: "Production", agent: agent.name },
    );
    const file = vscode.Uri.joinPath(root, "AGENTS.md");
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document, { preview: false });
    await type(document, "Be long.");
    const refused = async (work: () => Thenable<unknown>): Promise<void> => {
      person.told.length = 0;
      await Promise.resolve(work()).catch(() => undefined);
      equal(person.told.filter(isGuard).length, 1, person.told.join("\n"));
      deepEqual(sent, []);
    };
    await refused(() => document.save());
    ok(document.isDirty, "what was typed is still there");
    await refused(() => vscode.workspace.fs.delete(file));
    await refused(() => vscode.workspace.fs.rename(file, vscode.Uri.joinPath(root, "docs/rules.md")));
    const skills = vscode.Uri.joinPath(root, "skills");
    await refused(() =>
      vscode.workspace.fs.delete(vscode.Uri.joinPath(skills, "report"), { recursive: true }),
    );
    await refused(() =>
      vscode.workspace.fs.rename(
        vscode.Uri.joinPath(skills, "report"),
        vscode.Uri.joinPath(skills, "account"),
      ),
    );
    person.press = (_, { buttons }) => buttons[0];
    ok(await document.save());
    deepEqual(sent, [`PATCH /v1/managed/agents/${agent.id}`]);
    match(person.told.at(-1) ?? "", /^Production: Save AGENTS\.md of “Agent \d+ .*”\?/);
  });

  it("picked tools for an agent that has none, once", async () => {
    const agent = await site.agent();
    const { connectionId } = site;
    const server = { toolServerId: "t", serverUrl: "https://tools.test/mcp", serverName: "Tools" };
    const row = new RegExp(`Agent ${/\d+/.exec(agent.name)?.[0] ?? ""} `);
    const use = async (leaves: (text: string) => boolean): Promise<void> => {
      extension.toolServers.pick([[{ connectionId, ...server, tool: { name: "send" } }, true]]);
      await start("toolServers.useTools", { deeds: ["accept", { choose: row }] }, leaves);
      equal(person.told.filter((text) => text.startsWith("Production: ")).length, 1, person.told.join("\n"));
    };
    await use(isGuard);
    deepEqual(sent, []);
    await use(() => false);
    deepEqual(sent, [`PATCH /v1/managed/agents/${agent.id}`]);
  });

  it("a state that was edited", async () => {
    const stopped = await site.stoppedThread();
    person.will({ choose: /Step/ });
    await vscode.commands.executeCommand("agentOperations.thread.repair", {
      ...stopped,
      action: { verb: "edit" },
    });
    const document = vscode.window.activeTextEditor?.document;
    equal(document?.uri.scheme, STATE_SCHEME);
    const values = JSON.parse(document.getText()) as Record<string, unknown>;
    await type(document, JSON.stringify({ ...values, messages: [] }));
    const save = async (leaves: (text: string) => boolean): Promise<boolean> => {
      person.told.length = 0;
      person.press = (text, { isModal, buttons }) => (isModal && !leaves(text) ? buttons[0] : undefined);
      person.will({ choose: /As / });
      const isSaved = await Promise.resolve(document.save()).catch(() => false);
      equal(person.told.filter(isGuard).length, 1, person.told.join("\n"));
      return isSaved;
    };
    equal(await save(isGuard), false);
    deepEqual(sent, []);
    equal(await save(() => false), true);
    match(sent.join("\n"), /^POST \S+\/state$/m);
  });

  it("a request that nobody asked for is refused", async () => {
    const { threads } = await extension.platforms.managedAgents(site.connectionId);
    const { id } = await site.agent();
    let refusal = "";
    await threads.create({ agent_id: id }).catch((error: unknown) => (refusal = String(error)));
    match(refusal, /“Production” is protected, and nobody asked for POST/);
    deepEqual([sent, person.told], [[], []]);
  });

  it("what the Local Platform is told about its webhooks", async () => {
    const { issueWebhooks, connections, localPlatform } = extension;
    await vscode.commands.executeCommand("agentOperations.issues.focus");
    await connections.remove(site.connectionId);
    await connections.add({ name: "Production", kind: "localPlatform", protected: "click" });
    try {
      await vscode.commands.executeCommand("agentOperations.localPlatform.start");
      for (const command of onLocalPlatform) {
        const begin = async (leaves: (text: string) => boolean): Promise<void> => {
          const deeds = command === "issues.reportSample" ? [{ choose: "Low issue" }] : [];
          await start(command, { deeds }, leaves);
          equal(person.told.filter(isGuard).length, 1, `${command}: ${person.told.join("\n")}`);
        };
        await begin(isGuard);
        deepEqual(sent, []);
        await begin(() => false);
        ok(sent.length > 0, command);
      }
    } finally {
      for (const { id } of issueWebhooks.subscriptions.list()) await issueWebhooks.subscriptions.remove(id);
      await issueWebhooks.stop();
      await localPlatform.stop();
    }
  });

  /** Runs a command; its last question is left where `leaves` says so. */
  async function start(
    command: string,
    { args = [], deeds = [] }: Start,
    leaves: (text: string) => boolean,
  ): Promise<void> {
    sent.length = 0;
    person.told.length = 0;
    person.browse = () => Promise.resolve(false);
    person.press = (text, { isModal, buttons }) => (isModal && !leaves(text) ? buttons[0] : undefined);
    person.will(...deeds);
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
    deepEqual(person.deceptions, []);
  }
});

function isGuard(text: string): boolean {
  return text.includes("“Production” is protected");
}
