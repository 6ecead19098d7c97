import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { list, text } from "../support/localPlatform.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";

const draft = {
  name: "drafted",
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.test/agent:1" },
  secrets: [] as object[],
};

describe("A draft of a deployment", () => {
  let extension: Extension;
  const host = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  beforeEach(async () => {
    await closeAll();
    await host.controlPlane.pace(50);
  });
  afterEach(closeAll);

  it("is completed, explained and checked by the schema", async () => {
    const document = await open({ ...draft, source: "elsewhere" });
    const found = await until("the schema complains", () => vscode.languages.getDiagnostics(document.uri)[0]);
    equal(found.range.start.line, 2);
    match(found.message, /github/);
    const position = document.positionAt(document.getText().indexOf('"image_uri"') + 2);
    const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      position,
    );
    const said = hovers.flatMap(({ contents }) => contents) as (string | vscode.MarkdownString)[];
    match(
      said.map((part) => (typeof part === "string" ? part : part.value)).join("\n"),
      /A change makes a new revision/,
    );
    const inside = document.positionAt(document.getText().indexOf('"source_config": {') + 18);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      inside,
    );
    ok(items.some(({ label }) => label === "custom_url" || JSON.stringify(label).includes("custom_url")));
  });

  it("creates a deployment, watches it, and says from then on which one it changes", async () => {
    const document = await open({ ...draft, name: "created" });
    equal(await lens(document), "$(cloud-upload) Create Deployment on Test…");
    await sendAndConfirm(() => document.getText().includes('"id"'));
    const { id } = JSON.parse(document.getText()) as { id: string };
    equal((await host.controlPlane.get(id)).name, "created");
    equal(await lens(document), "$(cloud-upload) Update Deployment on Test…");
    await until("it is watched to its end", () =>
      extension.activity.entries.some(
        ({ options, end }) => options.title === "created" && end?.how === "done",
      ),
    );
  });

  it("sends only what differs, after a comparison, and makes a new revision of it", async () => {
    const made = await host.controlPlane.create({ ...draft, name: "changed" });
    const id = text(made.id);
    await vscode.commands.executeCommand("agentOperations.deployment.edit", {
      connectionId: host.connectionId,
      deploymentId: id,
    });
    const document = active();
    await replace(document, "agent:1", "agent:2");
    const sent = watchRequests(extension, ({ method }) => method === "PATCH");
    await sendAndConfirm(() => sent.urls.length === 1, isComparing);
    sent.stop();
    await until("there are two revisions", async () => (await host.controlPlane.revisions(id)).length === 2);
    const [latest] = await host.controlPlane.revisions(id);
    equal(latest?.source_revision_config?.image_uri, "registry.test/agent:2");
    await until("the comparison is closed", () => !isComparing());
  });

  it("marks what the platform refuses in its line, until that is edited", async () => {
    const document = await open({ ...draft, name: "bell\u0007" });
    await sendAndConfirm(() => marks(document).length > 0);
    match(marks(document)[0] ?? "", /^2: The name must not hold control characters/);
    await replace(document, "registry.test", "other.test");
    equal(marks(document).length, 1);
    await replace(document, "bell", "bells");
    deepEqual(marks(document), []);
  });

  it("is not sent when it is no JSON, holds a secret's value, or changes what can't be changed", async () => {
    const document = await open(draft);
    const sent = watchRequests(extension, ({ method, url }) => method !== "GET" && url.includes("/v2/"));
    await replace(document, '"name": "drafted",', '"name": "drafted",,');
    await vscode.commands.executeCommand("agentOperations.deployment.send", document.uri);
    match(marks(document)[0] ?? "", /^2: This is not JSON/);
    await replace(document, ",,", ",");
    deepEqual(marks(document), []);

    await replace(document, '"secrets": []', '"secrets": [{ "name": "A", "value": "hunter2" }]');
    await vscode.commands.executeCommand("agentOperations.deployment.send", document.uri);
    match(marks(document)[0] ?? "", /does not belong into a file/);

    const made = await host.controlPlane.create({ ...draft, name: "fixed" });
    await vscode.commands.executeCommand("agentOperations.deployment.edit", {
      connectionId: host.connectionId,
      deploymentId: text(made.id),
    });
    const other = active();
    await replace(other, '"name": "fixed"', '"name": "renamed"');
    await vscode.commands.executeCommand("agentOperations.deployment.send", other.uri);
    match(marks(other)[0] ?? "", /^3: This can't be changed/);
    deepEqual(sent.stop(), []);
  });

  it("takes a secret from the environment, and keeps its value out of every document", async () => {
    process.env["SHIP_TEST_SECRET"] = "correct-horse";
    const document = await open({
      ...draft,
      name: "secretive",
      secrets: [{ name: "KEY", value: "${env:SHIP_TEST_SECRET}" }],
    });
    await sendAndConfirm(() => document.getText().includes('"id"'));
    const { id } = JSON.parse(document.getText()) as { id: string };
    deepEqual(
      list((await host.controlPlane.get(id)).secrets).map(({ name }) => name),
      ["KEY"],
    );
    ok(!vscode.workspace.textDocuments.some((open) => open.getText().includes("correct-horse")));
    delete process.env["SHIP_TEST_SECRET"];
  });

  describe("that takes another variable of the environment than its secret is called", () => {
    const secrets = [{ name: "LOG_LEVEL", value: "${env:SHIP_TEST_CREDENTIAL}" }];

    beforeEach(async () => {
      process.env["SHIP_TEST_CREDENTIAL"] = "correct-horse";
      await open({ ...draft, name: "disguised", secrets });
    });
    afterEach(() => delete process.env["SHIP_TEST_CREDENTIAL"]);

    it("names the variable, and where it goes, in the last question", async () => {
      const sent = watchRequests(extension, ({ changes }) => changes === true);
      using person = new Person().will({ choose: /Keep editing/ });
      await vscode.commands.executeCommand("agentOperations.deployment.send");
      person.done();
      const { host: place } = new URL(host.platform.ready.controlPlaneUrl);
      deepEqual(person.asked.at(-1)?.rows.slice(2), [
        `$(key) SHIP_TEST_CREDENTIAL | of your environment goes to ${place} as the secret LOG_LEVEL`,
      ]);
      deepEqual(sent.stop(), []);
    });

    it("is refused where the workspace is not trusted, before anything is asked", async () => {
      const trust = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted");
      ok(trust);
      Object.defineProperty(vscode.workspace, "isTrusted", { ...trust, get: () => false });
      try {
        using person = new Person();
        await vscode.commands.executeCommand("agentOperations.deployment.send");
        match(person.told.join(), /takes SHIP_TEST_CREDENTIAL from your environment.* not trusted/);
      } finally {
        Object.defineProperty(vscode.workspace, "isTrusted", trust);
      }
    });
  });

  it("says that its deployment was deleted elsewhere, and loses nothing", async () => {
    const document = await open({ id: "0199a7c0-0000-7000-8000-000000000000", ...draft });
    const before = document.getText();
    await vscode.commands.executeCommand("agentOperations.deployment.send", document.uri);
    equal(document.getText(), before);
    equal(isComparing(), false);
  });

  async function open(value: object): Promise<vscode.TextDocument> {
    return extension.drafts.open("drafted", `${JSON.stringify(value, null, 2)}\n`, host.connectionId);
  }
});

/** Sends the draft in front and answers the last question as soon as it is there. */
async function sendAndConfirm(done: () => boolean, ready: () => boolean = () => true): Promise<void> {
  void vscode.commands.executeCommand("agentOperations.deployment.send");
  await until("the question can be answered", ready);
  await until("it is sent", async () => {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return done();
  });
}

function isComparing(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff),
  );
}

function active(): vscode.TextDocument {
  const editor = vscode.window.activeTextEditor;
  ok(editor, "no editor is in front");
  return editor.document;
}

async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const at = document.getText().indexOf(before);
  ok(at >= 0, `there is no ${before}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + before.length));
  edit.replace(document.uri, range, after);
  await vscode.workspace.applyEdit(edit);
}

async function lens(document: vscode.TextDocument): Promise<string | undefined> {
  const found = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    document.uri,
  );
  return found[0]?.command?.title;
}

/** What we marked, each with its line. */
function marks(document: vscode.TextDocument): readonly string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source }) => source === "Agents")
    .map(({ range, message }) => `${String(range.start.line + 1)}: ${message}`);
}

/** Drafts are not saved: each is let go without a question. */
async function closeAll(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
}
