import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { BulkChanges, type Worker } from "../../src/editor/bulk/bulkChanges.ts";
import { type NewJob, agreementOn } from "../../src/editor/bulk/bulkJob.ts";
import { type DeploymentJob, deploymentWork } from "../../src/editor/deployments/bulk/deploymentWork.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { list, LocalPlatform, text } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import { connectPlatform, theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("A change of several deployments", () => {
  let extension: Extension;
  let person: Person;
  /** What was sent to change something, as "METHOD /path". */
  let sent: string[];
  let listening: vscode.Disposable;
  const staging = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    await staging.controlPlane.pace(1);
    person = new Person();
    person.press = (_, { buttons }) => buttons.find((button) => /^(Redeploy|Change|Continue)$/.test(button));
    sent = [];
    listening = extension.transport.onDidMakeChange(({ exchange: { method, url } }) => {
      sent.push(`${method} ${new URL(url).pathname}`);
    });
  });
  afterEach(async () => {
    listening.dispose();
    person[Symbol.dispose]();
    for (const job of await extension.bulkChanges.unfinished()) await extension.bulkChanges.leave(job.id);
  });

  const image = (tag: string, more: Record<string, unknown> = {}): Promise<Shape> =>
    staging.deployed({
      ...{ source: "external_docker", source_config: {}, secrets: [] },
      source_revision_config: { image_uri: `registry.test/agent:${tag}` },
      ...more,
    });
  const begin = (rows: readonly Shape[], connectionId = staging.connectionId): Thenable<unknown> => {
    const refs = rows.map(({ id }) => ({ connectionId, deploymentId: text(id) }));
    return vscode.commands.executeCommand("agentOperations.bulk.begin", refs[0], refs);
  };
  const report = async (): Promise<string> => {
    const row = extension.activity.entries.find(({ options }) => /deployments?$/.test(options.title));
    const open = row?.options.open;
    await vscode.commands.executeCommand(open?.command ?? "", ...((open?.arguments ?? []) as unknown[]));
    return vscode.window.activeTextEditor?.document.getText() ?? "";
  };
  const worker: Worker<DeploymentJob> = ({ change }) =>
    deploymentWork({ ...extension, deadlineMs: () => 60_000 }, change, new Map());
  const redeploying = (rows: readonly Shape[], isTried: boolean): NewJob<DeploymentJob> => {
    const setting = extension.connections.resolve(staging.connectionId);
    return {
      ...{ title: `Redeploy ${String(rows.length)} deployments`, doneWord: "deployed", isTried },
      ...{ change: { kind: "redeploy" }, agreed: [agreementOn(setting)] },
      pace: { atOnce: 2, everyMs: 0, mostFailures: 1 },
      items: rows.map(({ id, latest_revision_id: before, name }) => ({
        ...{ connectionId: setting.id, deploymentId: text(id), before: text(before), name: text(name) },
        ...{ words: "again", state: "waiting" },
      })),
    };
  };
  const revisions = async (made: Shape): Promise<number> =>
    (await staging.controlPlane.revisions(made.id)).length;

  it("redeploys those that are ticked: one first, then the others", async () => {
    const rows = [await image("1"), await image("2"), await image("3")];
    person.will({ choose: /Redeploy/ }, { tick: [text(rows[0]?.name), text(rows[2]?.name)] });
    await begin(rows);
    person.done();
    const [, preview] = person.asked;
    deepEqual(
      preview?.rows,
      rows.map(({ name }) => `${text(name)} | Test`),
    );
    equal(preview.ticked.length, 3);
    deepEqual(await Promise.all(rows.map(revisions)), [2, 1, 2]);
    match(
      person.told[0] ?? "",
      /^Redeploy 2 deployments\?\n.*: 1 again\n.*: 3 again\n\nOne is changed first/s,
    );
    match(person.told[1] ?? "", / is deployed\. Go on\? 1 deployed, 1 not sent\.$/);
    match(person.told.at(-1) ?? "", /^Redeploy 2 deployments: 2 deployed\.$/);
    match(
      await report(),
      /^Redeploy 2 deployments\nBegan .*: 2 deployed\.\n\nTest\n {2}deployed .* 1 again /,
    );
    const row = extension.activity.entries.find(({ options }) => options.title === "Redeploy 2 deployments");
    equal(row?.end?.how, "done");
  });

  it("leaves the others when the person does not go on, and goes on by command", async () => {
    const rows = [await image("1"), await image("2")];
    person.press = (_, { buttons }) => buttons.find((button) => button === "Redeploy");
    person.will({ choose: /Redeploy/ }, "accept");
    await begin(rows);
    deepEqual(await Promise.all(rows.map(revisions)), [2, 1]);
    person.press = (_, { buttons }) => buttons[0];
    await vscode.commands.executeCommand("agentOperations.bulk.goOn");
    deepEqual(await Promise.all(rows.map(revisions)), [2, 2]);
  });

  it("gives each its own image another tag, and stops where one fails", async () => {
    const rows = [await image("1"), await image("fail-build"), await image("2")];
    const source = { kind: "image", to: ":fail-deploy" } as const;
    person.will({ choose: /Another Image/ }, { type: source.to }, "accept");
    person.press = (_, { buttons }) => buttons.find((button) => button === "Change");
    await begin(rows);
    deepEqual(await Promise.all(rows.map(revisions)), [2, 1, 1]);
    match(person.told.at(-2) ?? "", /: Deploy failed: The agent server did not become healthy\. Go on\?/);
    const { source_revision_config: config } = await staging.controlPlane.get(rows[0]?.id);
    equal((config as Shape)["image_uri"], "registry.test/agent:fail-deploy");
    match(
      await report(),
      / failed +.* 1 → fail-deploy {2}Deploy failed: The agent server did not become healthy/,
    );
  });

  it("changes the branch of those that have one, and says which others stay", async () => {
    const rows = [await staging.deployed(), await image("1")];
    person.will({ choose: /Branch/ }, { type: "next" }, "accept");
    await begin(rows);
    deepEqual(await Promise.all(rows.map(revisions)), [2, 1]);
    match(person.told[0] ?? "", /main(@\w+)? → next\n.*: It is not made of a branch\./);
  });

  it("sets a secret whose value is seen nowhere, with the other secrets that the platform would drop", async () => {
    const secrets = [{ name: "DATABASE", value: "before" }];
    const rows = [await image("1"), await image("2", { secrets })];
    const [value, other] = ["sk-never-shown", "db-never-shown"];
    person.will({ choose: /Secret/ }, { type: "TOKEN" }, { tick: rows.map(({ name }) => text(name)) });
    person.will({ type: value }, { type: other });
    await begin(rows);
    person.done();
    equal(person.asked[2]?.ticked.length, 1, "one that has other secrets is not ticked");
    deepEqual(
      person.asked.slice(3).map(({ hidden }) => hidden),
      [true, true],
    );
    const names = async (made: Shape | undefined): Promise<readonly string[]> =>
      list((await staging.controlPlane.get(made?.id))["secrets"]).map(({ name }) => text(name));
    deepEqual(await names(rows[0]), ["TOKEN"]);
    deepEqual([...(await names(rows[1]))].toSorted(), ["DATABASE", "TOKEN"]);
    const folder = join(extension.context.globalStorageUri.fsPath, "bulk");
    const kept = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
    );
    const said = [await report(), ...person.told, ...kept, JSON.stringify(extension.activity.entries)].join(
      "\n",
    );
    ok(!said.includes(value) && !said.includes(other));
  });

  describe("on another platform that is protected, too", () => {
    let platform: LocalPlatform;
    let production: ControlPlaneClient;
    let connectionId: string;

    beforeEach(async () => {
      platform = await LocalPlatform.start();
      production = new ControlPlaneClient(platform);
      await production.pace(1);
      const added = await connectPlatform(extension, "Production", platform);
      await extension.connections.update({ ...added, protected: "word" });
      connectionId = added.id;
    });
    afterEach(() => platform.remove());

    const deployed = async (): Promise<Shape> => {
      const made = await production.create();
      await production.follow(made.id, made.latest_revision_id);
      return made;
    };
    const beginOnBoth = (here: Shape, there: readonly Shape[]): Thenable<unknown> => {
      const refs = [
        { connectionId: staging.connectionId, deploymentId: text(here.id) },
        ...there.map(({ id }) => ({ connectionId, deploymentId: text(id) })),
      ];
      return vscode.commands.executeCommand("agentOperations.bulk.begin", refs[0], refs);
    };
    const setting = () => {
      const found = extension.connections.get(connectionId);
      ok(found);
      return found;
    };

    it("asks for its name before anything is sent anywhere", async () => {
      const [here, there] = [await image("1"), await deployed()];
      person.will({ choose: /Redeploy/ }, "accept", { type: "Staging" });
      await beginOnBoth(here, [there]);
      deepEqual(sent, []);
      match(person.told[0] ?? "", /Protected: “Production”\./);
      person.will({ choose: /Redeploy/ }, "accept", { type: "Production" });
      await beginOnBoth(here, [there]);
      equal(sent.length, 2);
      match(await report(), /^Production \(protected\)\n {2}deployed/m);
    });

    for (const [how, change, why] of [
      [
        "is removed",
        () => extension.connections.remove(connectionId),
        /The connection “Production” was removed\./,
      ],
      [
        "loses its mark by hand",
        () => {
          return extension.connections.update({ ...setting(), protected: "nothing" });
        },
        /The protection of “Production” was changed\./,
      ],
      ["loses its key", () => extension.apiKeys.clear(connectionId), /key/i],
    ] as const) {
      it(`holds it back where the connection ${how} while it runs`, async () => {
        const [here, there] = [await image("1"), await deployed()];
        await staging.controlPlane.pace(600_000);
        person.will({ choose: /Redeploy/ }, "accept", { type: "Production" });
        const running = beginOnBoth(here, [there]);
        await until("the first is on its way", () => sent.length === 1);
        await change();
        await staging.controlPlane.pace(1);
        await running;
        equal(sent.length, 1);
        equal((await production.revisions(there.id)).length, 1);
        match(person.told.at(-1) ?? "", why);
        match(await report(), why);
      });
    }

    it("goes on where it is called otherwise meanwhile, and says both names", async () => {
      const [here, there] = [await image("1"), await deployed()];
      person.will({ choose: /Redeploy/ }, "accept", { type: "Production" });
      await staging.controlPlane.pace(600_000);
      const running = beginOnBoth(here, [there]);
      await until("the first is on its way", () => sent.length === 1);
      await extension.connections.update({ ...setting(), name: "Live" });
      await staging.controlPlane.pace(1);
      await running;
      equal(sent.length, 2);
      match(await report(), /^Production, now “Live” \(protected\)$/m);
    });
  });

  it("is done once for each when two windows do it at the same time", async () => {
    const rows = [await image("1"), await image("2"), await image("3")];
    const other = new BulkChanges(extension);
    const job = redeploying(rows, true);
    try {
      const first = extension.bulkChanges.begin(job, worker);
      const made = await until("it is begun", async () =>
        (await other.unfinished()).find(({ isTried }) => isTried),
      );
      await Promise.all([first, other.carryOut(made as DeploymentJob, worker), other.begin(job, worker)]);
    } finally {
      other.dispose();
    }
    deepEqual(await Promise.all(rows.map(revisions)), [2, 2, 2]);
    equal(sent.length, 3);
  });

  it("that a closed window left is offered again, and does what is left", async () => {
    const rows = [await image("1"), await image("2")];
    const closed = new BulkChanges(extension);
    person.press = () => undefined;
    const asked = new Promise<void>((resolve) => {
      person.press = (message) => {
        if (/Go on\?/.test(message)) {
          closed.dispose();
          resolve();
        }
        return undefined;
      };
    });
    void closed.begin(redeploying(rows, false), worker);
    await asked;
    person.press = (_, { buttons }) => buttons.find((button) => /^(Redeploy|Continue)$/.test(button));
    const next = new BulkChanges(extension);
    try {
      await until("it is done", async () => (await revisions(rows[1] ?? {})) === 2);
      await until("it is over", async () => (await next.unfinished()).length === 0);
    } finally {
      next.dispose();
    }
    ok(person.told.some((message) => /was stopped by a reload: 1 deployed, 1 not sent/.test(message)));
    deepEqual(await Promise.all(rows.map(revisions)), [2, 2]);
  });
});
