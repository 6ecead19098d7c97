import { deepEqual, equal, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { list, text } from "../support/localPlatform.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

const image = {
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.test/agent:1" },
};

describe("The steps to a deployment", () => {
  let extension: Extension;
  const host = useDeployedPlatform();
  let person: Person;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    await host.controlPlane.pace(20);
    person = new Person();
  });
  afterEach(async () => {
    person[Symbol.dispose]();
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("create it from an image, with a secret typed into a password box and kept nowhere", async () => {
    const [value, docker] = ["sk-only-for-the-platform", { choose: /Docker image/ }];
    person.will(docker, { type: "not an image!!" }, { type: "registry.test/quick:1" });
    person.will("back", { type: "registry.test/quick:2" });
    person.will(
      { type: "registry.test/quick:2" },
      { type: "registry.test/quick:2" },
      { type: "quick" },
      { type: "OPENAI_API_KEY" },
      { type: value },
      { choose: /Create/ },
    );
    await vscode.commands.executeCommand("agentOperations.deployment.create", {
      connectionId: host.connectionId,
    });
    person.done();
    const { view } = extension.views.deployments.platform;
    await until("its row is selected", () => view.selection[0]?.item().label === "quick");
    const asked = person.asked.find(({ prompt }) => prompt.startsWith("The value of OPENAI_API_KEY"));
    equal(asked?.hidden, true);
    const made = (await deployments()).find(({ name }) => name === "quick");
    deepEqual(
      list(made?.["secrets"]).map((secret) => secret["name"]),
      ["OPENAI_API_KEY"],
    );
    const documents = vscode.workspace.textDocuments.map((document) => document.getText()).join("\n");
    ok(!documents.includes(value) && !person.told.join("\n").includes(value));
    await until("its revision is watched to the end", () =>
      extension.activity.entries.some(({ options, end }) => options.title === "quick" && end?.how === "done"),
    );
  });

  it("go on as a draft when more is wanted than they ask for", async () => {
    person.will({ choose: /Docker image/ }, { type: "registry.test/agent:1" }, { type: "wanted" });
    person.will({ type: "" }, { choose: /Keep editing/ });
    await vscode.commands.executeCommand("agentOperations.deployment.create", {
      connectionId: host.connectionId,
    });
    person.done();
    const written = vscode.window.activeTextEditor?.document.getText() ?? "";
    equal((JSON.parse(written) as { name: string }).name, "wanted");
    ok(!(await deployments()).some(({ name }) => name === "wanted"));
  });

  it("go on as a draft where the platform is away, too: nothing that was typed is lost", async () => {
    const { localUrl } = host.platform.ready;
    const fault = { match: { method: "POST", path: "/v2/deployments/?$" }, status: 503, body: {}, times: 1 };
    await host.platform.send("POST", `${localUrl}/faults`, fault);
    person.will({ choose: /Docker image/ }, { type: "registry.test/agent:1" }, { type: "away" });
    person.will({ type: "" }, { choose: /Create/ });
    await vscode.commands.executeCommand("agentOperations.deployment.create", {
      connectionId: host.connectionId,
    });
    person.done();
    await until("it is told", () => person.told.some((text) => text.includes("503")));
    const written = vscode.window.activeTextEditor?.document.getText() ?? "";
    equal((JSON.parse(written) as { name: string }).name, "away");
  });

  it("change it on a protected connection only after its name was typed", async () => {
    const made = await host.controlPlane.create({ ...image, name: "crown-jewels" });
    await host.protect(extension);
    const draft = { ...image, id: made.id, name: "crown-jewels" };
    const changed = { ...draft, source_revision_config: { image_uri: "registry.test/agent:2" } };
    await extension.drafts.open("crown-jewels", `${JSON.stringify(changed, null, 2)}\n`, host.connectionId);
    const send = async (typed: string): Promise<void> => {
      person.will({ choose: /Update, with a new revision/ }, { type: typed });
      await vscode.commands.executeCommand("agentOperations.deployment.send");
      person.done();
    };
    await send("crown");
    equal((await host.controlPlane.revisions(made.id)).length, 1);
    await send("crown-jewels");
    equal((await host.controlPlane.revisions(made.id)).length, 2);
  });

  async function deployments(): Promise<readonly Record<string, unknown>[]> {
    const { body } = await host.controlPlane.send("GET", "/v2/deployments?limit=100");
    return list(body["resources"]).map((item) => ({ ...item, name: text(item["name"]) }));
  }
});
