import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import { type Extension, theExtension } from "./extensionUnderTest.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";

describe("The graphs of the workspace can be deployed", () => {
  let extension: Extension;
  let project: TestProject;

  // Drafts are not saved: each is let go without a question, before the editors are closed.
  const closeDraft = () => vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  afterEach(closeDraft);
  const host = useDeployedPlatform();
  beforeEach(async () => {
    extension = await theExtension();
    await host.controlPlane.pace(20);
    project = await makeProject(extension);
  });
  afterEach(() => project.remove());

  it("from the repository that they lie in, by a draft that is checked, compared, sent and watched", async () => {
    const git = (...args: readonly string[]) =>
      promisify(execFile)("git", args, { cwd: project.folder, encoding: "utf8" });
    using person = new Person();
    await git("init", "--initial-branch", "trunk", ".");
    await git("remote", "add", "origin", "https://someone:token@example.test/owner/agents.git");
    await vscode.commands.executeCommand("agentOperations.graphs.deploy", { connectionId: project.id });
    const { document } = vscode.window.activeTextEditor ?? assert.fail("nothing is shown");
    const draft = JSON.parse(document.getText()) as Record<string, Record<string, unknown>>;
    assert.equal(draft["source_config"]?.["repo_url"], "https://example.test/owner/agents");
    const source = { repo_ref: "trunk", langgraph_config_path: "langgraph.json" };
    assert.deepEqual(draft["source_revision_config"], source);
    assert.match(person.told.join(), /builds what was pushed: the branch trunk was not pushed, and files/);
    assert.equal(await lensOf(document), "$(cloud-upload) Create Deployment…");

    // What only a person knows is missed, and nothing leaves before it is filled in.
    const missed = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ message }) => /GitHub integration/.test(message));
    await until("what a person has to fill in is marked", () => missed().length > 0);
    const sent = watchRequests(extension, ({ changes }) => changes === true);
    await send();
    assert.match(person.told.at(-1) ?? "", /The draft has a problem in line \d+: .*GitHub integration/);
    assert.deepEqual(sent.stop(), []);
    await replace(document, '"integration_id": ""', `"integration_id": "${crypto.randomUUID()}"`);
    await until("nothing is missed", () => vscode.languages.getDiagnostics(document.uri).length === 0);

    person.will({ choose: /Create/ });
    await send();
    person.done();
    const { id, name } = JSON.parse(document.getText()) as { readonly id: string; readonly name: string };
    const { source_config: made } = await host.controlPlane.get(id);
    assert.equal(made?.repo_url, "https://example.test/owner/agents");
    assert.equal(await lensOf(document), "$(cloud-upload) Update Deployment on Test…");
    await watched(name, 1);

    // The same draft again, for another branch: it is compared with what the platform has.
    await replace(document, '"repo_ref": "trunk"', '"repo_ref": "release"');
    let compared: readonly string[] = [];
    person.otherwise = () => {
      compared = comparedWith(document);
      return { choose: /Update, with a new revision/ };
    };
    await send();
    assert.deepEqual(compared, [document.getText().replace('"release"', '"trunk"')]);
    const [latest, ...earlier] = await host.controlPlane.revisions(id);
    assert.equal(earlier.length, 1);
    assert.equal(text(latest?.source_revision_config?.repo_ref), "release");
    await watched(name, 2);
  });

  /** Waits until so many revisions of a deployment were followed to a good end. */
  async function watched(name: string, revisions: number): Promise<void> {
    await until(`${String(revisions)} revisions are watched to their end`, () => {
      const { entries } = extension.activity;
      const ended = entries.filter(({ options, end }) => options.title === name && end?.how === "done");
      return ended.length === revisions;
    });
  }
});

async function send(): Promise<void> {
  await vscode.commands.executeCommand("agentOperations.deployment.send");
}

async function lensOf({ uri }: vscode.TextDocument): Promise<string | undefined> {
  const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
  );
  return lenses[0]?.command?.title;
}

/** The texts that are shown beside a draft. */
function comparedWith({ uri }: vscode.TextDocument): readonly string[] {
  const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  const others = shown.flatMap((input) =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString()
      ? [input.original.toString()]
      : [],
  );
  const { textDocuments } = vscode.workspace;
  return textDocuments.filter((one) => others.includes(one.uri.toString())).map((one) => one.getText());
}

async function replace(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const at = document.getText().indexOf(before);
  assert.ok(at >= 0, `there is no ${before}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + before.length));
  edit.replace(document.uri, range, after);
  await vscode.workspace.applyEdit(edit);
}
