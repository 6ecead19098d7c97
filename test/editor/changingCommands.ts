import * as vscode from "vscode";
import { bucketName, knownKey } from "../support/objectStore.ts";
import type { ChangedSite, Prepare } from "./changedSite.ts";
import type { Deed } from "./questionBox.ts";

const keys = [
  { choose: /Type them/ },
  { type: knownKey.access_key_id },
  { type: knownKey.secret_access_key },
  { type: "" },
] as const;

/** Chooses the platform's sample deployment, where it has others beside it. */
async function sampleServer(
  { extension, connectionId, platform }: ChangedSite,
  fewest = 2,
): Promise<readonly Deed[]> {
  const servers = await extension.agentServers.list(connectionId);
  const { deploymentId } = platform.ready;
  const sample = servers.find(
    ({ server }) => server.kind === "deployment" && server.deploymentId === deploymentId,
  );
  return servers.length >= fewest ? [{ choose: sample?.name ?? "" }] : [];
}

/** Every command that changes something on a platform: how it is started, and what comes before the change. */
export const changingCommands: Readonly<Record<string, Prepare>> = {
  "deployment.create": (site) => {
    const name = site.plainName("quick").replace(" ", "-");
    const source = [
      { choose: /Docker image/ },
      { type: "registry.test/quick:1" },
      { type: name },
      { type: "" },
    ];
    return Promise.resolve({
      args: [{ connectionId: site.connectionId }],
      deeds: [...source, { choose: /Create/ }],
    });
  },
  "deployment.send": (site) => site.draft(),
  "deployment.delete": async (site) => ({ args: [await site.revision()] }),
  "revision.redeploy": async (site) => ({ args: [await site.revision()] }),
  "revision.redeployPrevious": async (site) => ({ args: [await site.revisionAfterAnother()] }),
  "revision.interrupt": async (site) => ({ args: [await site.revision(false)] }),
  "bulk.begin": async (site) => ({
    args: [await site.revision()],
    deeds: [{ choose: /Redeploy/ }, "accept"],
  }),
  "bulk.repairThreads": async (site) => ({
    args: [await site.failedThreads()],
    deeds: ["accept", { choose: /Retry/ }],
  }),
  "bulk.stopRuns": async (site) => ({ args: [await site.goingRun()] }),
  "bulk.deleteThreads": async (site) => ({
    args: [await site.onlyThread()],
    deeds: [{ choose: /Another number/ }, { type: "0" }, "accept", { choose: /Delete them/ }],
  }),
  "bulk.goOn": async (site) => ({ args: [await site.stoppedChange()] }),
  "agent.create": (site) => {
    const { extension, connectionId } = site;
    // Models are offered where the agents of the platform were listed already.
    const areOffered = extension.agents.models(connectionId).length > 0;
    const deeds = [
      { type: site.name("Made") },
      { type: "" },
      { type: "Be brief." },
      ...(areOffered ? [{ choose: /Another model/ }] : []),
      { type: "sample:echo" },
      { choose: /sandbox for each/ },
    ];
    return Promise.resolve({ args: [{ connectionId }], deeds });
  },
  "agent.edit": async (site) => ({
    args: [site.managed.ref(await site.agent())],
    deeds: [{ choose: "Description" }, { type: "Sends mail" }, { choose: /Save/ }],
  }),
  "agent.newFile": async (site) => ({
    args: [site.managed.ref(await site.agent())],
    deeds: [{ type: "docs/rules.md" }],
  }),
  "agent.promote": (site) => site.promoted(),
  "agent.clone": async (site) => ({
    args: [site.managed.ref(await site.agent())],
    deeds: [{ type: site.name("Copy") }],
  }),
  "agent.delete": async (site) => ({ args: [site.managed.ref(await site.agent())] }),
  "agent.push": (site) => site.pulled(),
  "agent.runInBackground": async (site) => ({
    args: [site.managed.ref(await site.agent("echo"))],
    deeds: [{ type: "Hello" }, { choose: "A run" }],
  }),
  "agentThread.runInBackground": async (site) => ({
    args: [{ ref: await site.managedThread() }],
    deeds: [{ type: "Hello" }],
  }),
  "agentThread.pin": async (site) => ({ args: [{ ref: await site.managedThread() }] }),
  "agentThread.unpin": async (site) => ({ args: [{ ref: await site.managedThread() }] }),
  "agentThread.change": async (site) => ({
    args: [{ ref: await site.managedThread() }],
    deeds: [{ choose: "Rename…" }, { type: "Renamed" }],
  }),
  "thread.rename": async (site) => ({
    args: [{ ref: await site.serverThread() }],
    deeds: [{ type: "Renamed" }],
  }),
  "thread.delete": async (site) => ({ args: [{ ref: await site.serverThread() }] }),
  "inbox.approve": (site) => site.waiting(site.serverThread()),
  "inbox.reject": async (site) => ({
    ...(await site.waiting(site.managedThread())),
    deeds: [{ type: "Not now" }],
  }),
  "inbox.respond": async (site) => ({
    ...(await site.waiting(site.serverThread())),
    deeds: [{ type: "They know" }],
  }),
  "inbox.continue": (site) => site.waiting(site.stoppedThread()),
  "inbox.dismiss": (site) => site.waiting(site.managedThread()),
  "toolServer.register": (site) => {
    const url = `https://tools.test/${site.plainName("registered").replace(" ", "-")}`;
    const deeds = [{ type: url }, { choose: "None" }, { type: site.name("Tools") }, { choose: /Register/ }];
    return Promise.resolve({ args: [{ connectionId: site.connectionId }], deeds });
  },
  "toolServer.edit": async (site) => ({
    args: [await site.toolServer()],
    deeds: [
      { choose: "Address" },
      { type: `https://${site.plainName("moved").replace(" ", "-")}.test/mcp` },
      { choose: /Save/ },
    ],
  }),
  "toolServer.rotateHeaders": async (site) => ({
    args: [await site.toolServer({ headers: [{ key: "X-Team", value: "blue" }] })],
    deeds: [{ choose: /New value for X-Team/ }, { type: "red" }],
  }),
  "thread.repair": async (site) => ({
    args: [{ ...(await site.stoppedThread()), action: { verb: "step" } }],
  }),
  "thread.continueInCopy": async (site) => ({ args: [await site.silentThread()] }),
  "thread.clone": async (site) => {
    const deeds = [...(await sampleServer(site)), ...[{ choose: "echo" }, { type: "" }]];
    return { args: [{ ref: await site.stoppedThread() }], deeds };
  },
  "run.again": async (site) => ({ args: [await site.runInFront()] }),
  "run.againInNewThread": async (site) => ({ args: [await site.runInFront()] }),
  "comparison.sendInput": async (site) => ({
    args: [await site.runInFront()],
    // A managed agent is offered beside the only server.
    deeds: [...(await sampleServer(site, 1)), { choose: "echo" }, { choose: "There only" }],
  }),
  "toolServer.delete": async (site) => ({ args: [await site.toolServer()] }),
  "toolServer.registerProvider": async (site) => ({ args: [await site.toolServer({ auth_type: "oauth" })] }),
  "toolServer.connect": async (site) => ({ args: [await site.toolServer({ auth_type: "oauth" })] }),
  "destination.create": (site) => {
    const deeds = [
      ...[{ choose: /S3-compatible/ }, { type: site.store.url }, { type: bucketName }, { choose: "Yes" }],
      ...[
        { choose: "auto" },
        { type: "team" },
        { type: site.plainName("Bucket") },
        ...keys,
        { choose: /Create/ },
      ],
    ];
    return Promise.resolve({ args: [{ connectionId: site.connectionId }], deeds });
  },
  "destination.createFromDraft": async (site) => {
    process.env["PROTECTED_ID"] = knownKey.access_key_id;
    process.env["PROTECTED_SECRET"] = knownKey.secret_access_key;
    const draft = {
      display_name: site.plainName("Drafted"),
      config: { bucket_name: bucketName, prefix: "drafts", endpoint_url: site.store.url },
      credentials: { access_key_id: "${env:PROTECTED_ID}", secret_access_key: "${env:PROTECTED_SECRET}" },
    };
    const content = JSON.stringify(draft);
    const document = await vscode.workspace.openTextDocument({ language: "json", content });
    await vscode.window.showTextDocument(document);
    return { args: [document.uri], deeds: [{ choose: /Create/ }] };
  },
  "destination.rotateCredentials": async (site) => ({ args: [await site.destination()], deeds: [...keys] }),
  "exportJob.create": async (site) => ({
    args: [await site.destination()],
    deeds: [
      ...[{ choose: /Enter an ID/ }, { type: site.platform.ready.deploymentId }, { choose: /Once/ }],
      ...[{ choose: "An hour ago" }, { type: "" }, { choose: /Export/ }],
    ],
  }),
  "exportJob.cancel": (site) => site.export(),
};

/** Those that change the extension's own Local Platform. */
export const onLocalPlatform = [
  ...["issues.subscribeLocalPlatform", "issues.reportSample", "webhook.rollSecret", "webhook.remove"],
] as const;

/** Those that change servers of the workspace's own graphs, which are never protected. */
export const onOwnGraphs = ["node.runTo"] as const;

/** Those that open a run panel, which asks when something is sent from it. */
export const openingPanels: readonly string[] = ["agent.newThread", "agent.newTestThread", "inbox.answer"];
