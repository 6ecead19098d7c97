import { join } from "node:path";
import * as vscode from "vscode";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import type { RevisionRef, ThreadRef } from "../../src/editor/connections/connection.ts";
import { agreementOn } from "../../src/editor/bulk/bulkJob.ts";
import { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import { McpClient } from "../support/mcpClient.ts";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";
import { until } from "../support/until.ts";
import { connectPlatform, tidyUp } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { ManagedPlatform } from "./managedPlatform.ts";
import type { Deed } from "./questionBox.ts";

/** How a command is started, and what a person does with the questions that come before the change. */
export interface Start {
  readonly args?: readonly unknown[];
  readonly deeds?: readonly Deed[];
}

/** Turns the writing around, hides, and makes a link and an icon. */
export const deceiving = "\u202e\u200b[all](command:agentOperations.connection.add)$(bug)";

/** Makes what a command is started on, anew each time. */
export type Prepare = (site: ChangedSite) => Promise<Start>;

/** A platform that is protected, and what tests put there behind the extension's back. */
export class ChangedSite {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
  readonly managed: ManagedPlatform;
  readonly controlPlane: ControlPlaneClient;
  readonly tools: McpClient;
  readonly store: ObjectStore;
  #made = 0;

  private constructor(extension: Extension, platform: LocalPlatform, store: ObjectStore) {
    this.extension = extension;
    this.platform = platform;
    this.store = store;
    this.managed = new ManagedPlatform(platform);
    this.controlPlane = new ControlPlaneClient(platform);
    this.tools = new McpClient(platform);
  }

  static async start(extension: Extension): Promise<ChangedSite> {
    await tidyUp(extension);
    return new ChangedSite(extension, await LocalPlatform.start(), await ObjectStore.start());
  }

  /** Connects to the platform anew, as a protected one whose changes ask for a click. */
  async connect(): Promise<void> {
    const { extension } = this;
    await tidyUp(extension);
    const added = await connectPlatform(extension, "Production", this.platform);
    await extension.connections.update({ ...added, protected: "click" });
    this.managed.connectionId = added.id;
  }

  get connectionId(): string {
    return this.managed.connectionId;
  }

  /** A name that nothing else has, and that would turn, hide and link what stands around it. */
  name(what: string): string {
    return `${this.plainName(what)}\u0007${deceiving}`;
  }

  /** A name as a platform allows it in addresses. */
  plainName(what: string): string {
    this.#made += 1;
    return `${what} ${String(this.#made)}`;
  }

  async agent(sample = "approval"): Promise<Agent> {
    return this.managed.agent(this.name("Agent"), sample);
  }

  /** A thread of a managed agent; one that the agent `approval` was told something in waits. */
  async managedThread(): Promise<ThreadRef> {
    const agent = await this.agent();
    const { id: threadId } = await this.managed.spoken(agent);
    const { connectionId } = this;
    return { connectionId, server: { kind: "managedAgent", agentId: agent.id }, threadId };
  }

  /** A thread of the sample deployment that waits. */
  async serverThread(): Promise<ThreadRef> {
    const threadId = await this.platform.thread({ title: this.name("Thread") });
    await this.platform.stream(threadId, { assistant_id: "approval", input: say("Tell them") });
    return { ...this.#server(), threadId };
  }

  /** A thread of the sample deployment that stands at a breakpoint. */
  async stoppedThread(): Promise<ThreadRef> {
    const threadId = await this.platform.thread({ title: this.name("Stopped") });
    const run = { assistant_id: "echo", input: say("Hello"), interrupt_before: "*" };
    await this.platform.stream(threadId, run);
    return { ...this.#server(), threadId };
  }

  /** The server of a thread that failed; there is no other that did. */
  async failedThreads(): Promise<object> {
    await this.#deleteThreads("error");
    const { platform } = this;
    const threadId = await platform.thread({ title: this.name("Failed") });
    await platform.stream(threadId, { assistant_id: "pipeline", input: { ...say("go"), fail_at: "write" } });
    return this.#server();
  }

  /** The server of a run that goes on; there is no other that does. */
  async goingRun(): Promise<object> {
    await this.#deleteThreads("busy");
    await this.silentThread();
    return this.#server();
  }

  /** The server of a thread at rest; there is no other. */
  async onlyThread(): Promise<object> {
    await this.#deleteThreads();
    const threadId = await this.platform.thread({ title: this.name("Thread") });
    await this.platform.stream(threadId, { assistant_id: "echo", input: say("Hello") });
    return this.#server();
  }

  async #deleteThreads(status?: string): Promise<void> {
    const { body } = await this.platform.send("POST", "/threads/search", { status, limit: 100 });
    for (const { thread_id: id } of list(body)) await this.platform.send("DELETE", `/threads/${text(id)}`);
  }

  #server(): Omit<ThreadRef, "threadId"> {
    const { connectionId, platform } = this;
    return { connectionId, server: { kind: "deployment", deploymentId: platform.ready.deploymentId } };
  }

  /** A thread with a run of which nobody can tell whether it goes on. */
  async silentThread(): Promise<ThreadRef> {
    const threadId = await this.platform.thread({ title: this.name("Silent") });
    const run = { assistant_id: "slow", input: { ...say("Work"), seconds: 60 }, stream_resumable: false };
    await this.platform.send("POST", `/threads/${threadId}/runs`, run);
    return { ...this.#server(), threadId };
  }

  /** A run of a thread that is open in front. */
  async runInFront(): Promise<object> {
    const threadId = await this.platform.thread({ title: this.name("Thread") });
    await this.platform.stream(threadId, { assistant_id: "echo", input: say("Hello") });
    const panel = this.extension.panels.open({ ...this.#server(), threadId });
    const runs = () => panel.session.entries.flatMap((entry) => (entry.kind === "run" ? entry.runId : []));
    await until("its run is shown", () => panel.session.state.kind === "idle" && runs().length > 0);
    return { runId: runs()[0] };
  }

  /** What waits, as the inbox lists it. */
  async waiting(thread: Promise<ThreadRef>): Promise<Start> {
    const ref = await thread;
    await this.extension.inbox.load(true);
    return { args: [{ ref }] };
  }

  async revision(ended = true): Promise<object> {
    await this.controlPlane.pace(ended ? 1 : 600_000);
    const made = await this.controlPlane.create({ name: `${this.plainName("deployed")}${deceiving}` });
    if (ended) await this.controlPlane.follow(made.id, made.latest_revision_id);
    const { connectionId } = this;
    return {
      ref: { connectionId, deploymentId: text(made.id), revisionId: text(made.latest_revision_id) },
    };
  }

  /** The latest of two revisions that were deployed. */
  async revisionAfterAnother(): Promise<object> {
    await this.controlPlane.pace(1);
    const made = await this.controlPlane.create({ name: `${this.plainName("changed")}${deceiving}` });
    await this.controlPlane.follow(made.id, made.latest_revision_id);
    await this.controlPlane.send("PATCH", `/v2/deployments/${text(made.id)}`, {
      source_revision_config: { repo_ref: "next" },
    });
    const [latest] = await this.controlPlane.revisions(made.id);
    await this.controlPlane.follow(made.id, latest?.id);
    const { connectionId } = this;
    return { ref: { connectionId, deploymentId: text(made.id), revisionId: text(latest?.id) } };
  }

  /** A change of deployments that another window left before it sent anything. */
  async stoppedChange(): Promise<object> {
    const { ref } = (await this.revision()) as { readonly ref: RevisionRef };
    const { connections, context } = this.extension;
    const setting = connections.resolve(this.connectionId);
    const { revisionId: before, deploymentId } = ref;
    const id = crypto.randomUUID();
    const item = { connectionId: setting.id, deploymentId, before, name: "left", words: "again" };
    await new BulkRecords(join(context.globalStorageUri.fsPath, "bulk")).add({
      ...{ id, startedAt: Date.now(), change: { kind: "redeploy" }, isTried: false },
      ...{ title: "Redeploy 1 deployment", doneWord: "deployed" },
      pace: { atOnce: 1, everyMs: 0, mostFailures: 1 },
      ...{ agreed: [agreementOn(setting)], items: [{ ...item, state: "waiting" }] },
    });
    return { bulkId: id };
  }

  /** An agent of another connection, which is to be made here, too. */
  async promoted(): Promise<Start> {
    const agent = await this.agent();
    const { id: connectionId } = await connectPlatform(this.extension, "Staging", this.platform);
    const deeds = [{ choose: "Production" }, { choose: /A new agent/ }];
    return { args: [{ ...this.managed.ref(agent), connectionId }], deeds };
  }

  async toolServer(body: Record<string, unknown> = {}): Promise<object> {
    const url = `https://tools.test/${this.plainName("server").replace(" ", "-")}`;
    const { id } = await this.tools.server(url, { name: this.name("Tools"), ...body });
    return { connectionId: this.connectionId, toolServerId: text(id) };
  }

  async destination(): Promise<{
    readonly connectionId: string;
    readonly destinationId: string;
    readonly name: string;
  }> {
    const name = this.plainName("Bucket");
    const body = {
      destination_type: "s3",
      display_name: name,
      config: { bucket_name: bucketName, prefix: "team", endpoint_url: this.store.url },
      credentials: knownKey,
    };
    const url = `${this.platform.ready.baseUrl}/api/v1/bulk-exports/destinations`;
    const { body: made } = await this.platform.send("POST", url, body, this.#workspace);
    return { connectionId: this.connectionId, destinationId: text(made.id), name };
  }

  /** An export that goes on until the store answers. */
  async export(): Promise<Start> {
    const { connectionId, destinationId } = await this.destination();
    const url = `${this.platform.ready.baseUrl}/api/v1/bulk-exports`;
    const body = {
      bulk_export_destination_id: destinationId,
      session_id: this.platform.ready.deploymentId,
      start_time: new Date(Date.now() - 86_400_000).toISOString(),
      interval_hours: 24,
    };
    const { body: made } = await this.platform.send("POST", url, body, this.#workspace);
    return { args: [{ connectionId, exportId: text(made.id), name: "Export", status: text(made.status) }] };
  }

  /** A draft of a new deployment in an editor. */
  async draft(): Promise<Start> {
    const file = this.plainName("drafted").replace(" ", "-");
    const draft = {
      source: "external_docker",
      source_config: {},
      source_revision_config: { image_uri: "registry.test/agent:1" },
      secrets: [],
      name: `${file}${deceiving}`,
    };
    const text = JSON.stringify(draft, null, 2);
    const document = await this.extension.drafts.open(file, text, this.connectionId);
    return { args: [document.uri], deeds: [{ choose: /Create/ }] };
  }

  /** An agent whose folder in the workspace differs. */
  async pulled(): Promise<Start> {
    const agent = await this.agent("echo");
    const ref = this.managed.ref(agent);
    await vscode.commands.executeCommand("agentOperations.agent.pull", ref);
    const [found] = await vscode.workspace.findFiles("agents/*/agent.json");
    if (found === undefined) throw new Error("The agent was not pulled.");
    const file = vscode.Uri.joinPath(found, "../AGENTS.md");
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode("Be brief.\n"));
    return { args: [ref], deeds: [{ choose: /Push/ }] };
  }

  /** Takes away what was pulled. */
  async unpull(): Promise<void> {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    if (workspace === undefined) return;
    const folder = vscode.Uri.joinPath(workspace.uri, "agents");
    await vscode.workspace.fs.delete(folder, { recursive: true }).then(undefined, () => undefined);
  }

  async remove(): Promise<void> {
    await tidyUp(this.extension);
    await this.platform.remove();
    await this.store.stop();
  }

  get #workspace(): Record<string, string> {
    return { "x-tenant-id": this.platform.ready.workspaceId };
  }
}
