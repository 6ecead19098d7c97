import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { LocalPlatform, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectPlatform, theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { ManagedPlatform } from "./managedPlatform.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("Bringing to another platform", () => {
  let extension: Extension;
  let person: Person;
  let staging: ManagedPlatform;
  let production: ManagedPlatform;
  let other: LocalPlatform;

  useOwnPlatform(async ({ platform }) => {
    extension = await theExtension();
    other = await LocalPlatform.start();
    [staging, production] = [new ManagedPlatform(platform), new ManagedPlatform(other)];
    for (const managed of [staging, production]) await managed.removeAgents();
    staging.connectionId = (await connectPlatform(extension, "Staging", platform)).id;
    const added = await connectPlatform(extension, "Production", other);
    await extension.connections.update({ ...added, protected: "word" });
    production.connectionId = added.id;
    person = new Person();
  });
  afterEach(async () => {
    person[Symbol.dispose]();
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await other.remove();
  });

  const source = () =>
    staging.api.agents.create({
      name: "Postman",
      system_prompt: "Be kind.",
      runtime: { model: { model_id: "sample:echo" } },
      tools: { tools: [{ name: "send", mcp_server_url: "https://tools.test/mcp" }] },
    });
  const target = () =>
    production.api.agents.create({
      name: "Postman",
      system_prompt: "Be brief.",
      runtime: { model: { model_id: "sample:echo" } },
      files: { "docs/rules.md": { content: "Kept" } },
      permissions: {},
    });
  const promptOf = async (id: string): Promise<string | null | undefined> =>
    (await production.api.agents.get(id)).system_prompt;

  it("an agent shows what is written first, asks for the protected one's name, and keeps what is only there", async () => {
    const [from, to] = [await source(), await target()];
    const promote = (typed: string): Thenable<unknown> => {
      person.will({ choose: "Production" }, { choose: "Postman" }, "accept", { type: typed });
      return vscode.commands.executeCommand("agentOperations.agent.promote", staging.ref(from));
    };
    await promote("Staging");
    equal(await promptOf(to.id), "Be brief.");
    await promote("Postman");
    person.done();
    equal(await promptOf(to.id), "Be kind.");
    const rows = person.asked.find(({ prompt }) => prompt.startsWith("What “Postman” on Production gets"));
    deepEqual(rows?.labels, [
      "$(diff-modified) AGENTS.md",
      "$(diff-removed) docs/rules.md",
      "$(diff-added) tools.json",
    ]);
    deepEqual(rows.ticked, ["$(diff-modified) AGENTS.md", "$(diff-added) tools.json"]);
    const asked = person.asked.at(-1)?.prompt ?? "";
    match(asked, /Production has no tool server at https:\/\/tools\.test\/mcp\./);
    match(asked, /type Postman and press Enter/);
    const files = (await production.api.agents.get(to.id, { includeFiles: true })).files ?? {};
    ok("docs/rules.md" in files && "tools.json" in files);
  });

  it("an agent that somebody changed meanwhile gets nothing", async () => {
    const [from, to] = [await source(), await target()];
    const pressed = Promise.withResolvers<undefined>();
    await extension.connections.update({
      ...(extension.connections.get(production.connectionId) ?? { id: "", name: "", kind: "platform" }),
      protected: "click",
    });
    person.will({ choose: "Production" }, { choose: "Postman" }, "accept");
    person.press = (_, { isModal, buttons }) => {
      if (!isModal) return undefined;
      pressed.resolve(undefined);
      return buttons[0];
    };
    const fetched = extension.agents.store.fetch.bind(extension.agents.store);
    extension.agents.store.fetch = async (ref) => {
      const snapshot = await fetched(ref);
      if (ref.agentId === to.id)
        await production.api.agents.update(to.id, { system_prompt: "Of somebody else" });
      return snapshot;
    };
    try {
      await vscode.commands.executeCommand("agentOperations.agent.promote", staging.ref(from));
    } finally {
      extension.agents.store.fetch = fetched;
    }
    await pressed.promise;
    match(person.told.at(-1) ?? "", /was changed while you looked at the changes\. Nothing was written\./);
    equal(await promptOf(to.id), "Of somebody else");
  });

  it("an agent that is not there yet is made anew", async () => {
    const from = await source();
    person.will({ choose: "Production" }, { choose: /A new agent on Production/ }, { type: "Postman" });
    await vscode.commands.executeCommand("agentOperations.agent.promote", staging.ref(from));
    const [made] = (await production.api.agents.page()).items;
    equal(made?.name, "Postman");
    equal(await promptOf(made.id), "Be kind.");
  });

  it("an agent is compared with one there: settings, files and tools", async () => {
    const [from, to] = [await source(), await target()];
    await vscode.commands.executeCommand("agentOperations.agent.compareWith", staging.ref(from), [
      staging.ref(from),
      production.ref(to),
    ]);
    await until("the comparison is in front", () =>
      vscode.window.tabGroups.all.some((group) =>
        group.tabs.some(({ label }) => label.startsWith("“Postman” on Staging ↔ “Postman” on Production")),
      ),
    );
    await staging.api.agents.delete(from.id);
    const same = await staging.api.agents.create({
      ...{ name: "Postman", system_prompt: "Be brief.", runtime: { model: { model_id: "sample:echo" } } },
      files: { "docs/rules.md": { content: "Kept" } },
    });
    person.will({ choose: "Production" });
    await vscode.commands.executeCommand("agentOperations.agent.compareWith", staging.ref(same));
    match(person.told.at(-1) ?? "", /have the same settings, files and tools\./);
  });

  it("a deployment is a draft there, of the one that is called the same", async () => {
    const [here, there] = [staging.platform, other].map((platform) => new ControlPlaneClient(platform));
    const image = { source: "external_docker", source_config: {}, name: "support" };
    const from = await here?.create({
      ...image,
      source_revision_config: { image_uri: "registry.test/support:2" },
      secrets: [{ name: "TOKEN", value: "v" }],
    });
    const to = await there?.create({
      ...image,
      source_revision_config: { image_uri: "registry.test/support:1" },
    });
    person.will({ choose: "Production" });
    const ref = { connectionId: staging.connectionId, deploymentId: text(from?.id) };
    await vscode.commands.executeCommand("agentOperations.deployment.promote", ref);
    const document = vscode.window.activeTextEditor?.document;
    const draft = JSON.parse(document?.getText() ?? "") as Record<string, unknown>;
    equal(draft["id"], to?.id);
    deepEqual(draft["source_revision_config"], { image_uri: "registry.test/support:2" });
    deepEqual(draft["secrets"], []);
    match(person.told.at(-1) ?? "", /It has no secret TOKEN there\. Nothing is sent before you compare it\./);
    equal(document && extension.drafts.memory.connectionOf(document.uri), production.connectionId);
    match(document?.fileName ?? "", /support-on-Production\.deployment\.json$/);
    equal((await there?.revisions(to?.id))?.length, 1);
  });
});
