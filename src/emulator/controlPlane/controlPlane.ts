import { uuid7 } from "../kit/ids.ts";
import type { Engine, Scheduler } from "../runtime/scheduler.ts";
import type { Identity } from "../access/identity.ts";
import { Deployments } from "./deployments.ts";
import { RevisionLogs } from "./revisionLogs.ts";
import { Revisions } from "./revisions.ts";
import { Rollout } from "./rollout.ts";
import { RolloutSettings } from "./rolloutSettings.ts";
import { Teardown } from "./teardown.ts";

/** The deployments, their revisions, and what moves both. */
export class ControlPlane {
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly revisionLogs: RevisionLogs;
  readonly rolloutSettings: RolloutSettings;
  readonly rollout: Rollout;
  readonly teardown: Teardown;

  constructor(engine: Engine & { readonly scheduler: Scheduler }, identity: Identity) {
    const { store } = engine;
    this.deployments = new Deployments(store);
    this.revisions = new Revisions(store);
    this.revisionLogs = new RevisionLogs(store);
    this.rolloutSettings = new RolloutSettings(store);
    const { deployments, revisions, revisionLogs, rolloutSettings } = this;
    const parts = { store, deployments, revisions, revisionLogs, rolloutSettings };
    this.rollout = new Rollout(parts);
    this.teardown = new Teardown({ ...engine, ...parts, rollout: this.rollout });
    this.#addSample(identity.deploymentId);
  }

  /** Takes up what was on its way when the process ended, or lets all go on at a new pace. */
  start(): void {
    this.rollout.start();
    this.teardown.start();
  }

  async stop(): Promise<void> {
    this.rollout.stop();
    await this.teardown.stop();
  }

  /** The sample deployment is there from the start, deployed. */
  #addSample(id: string): void {
    if (this.deployments.get(id) !== undefined) return;
    this.deployments.insert(id, "sample", "internal_template", {
      display_name: "Sample deployment",
      source_config: { deployment_type: "dev_free", template_id: "sample-agents" },
      secret_names: [],
      secret_references: [],
    });
    const now = new Date().toISOString();
    const revision = {
      id: uuid7(),
      deployment_id: id,
      status: "DEPLOYED",
      source: "internal_template",
      source_revision_config: { repo_ref: "built-in" },
      fail_at: null,
      created_at: now,
      updated_at: now,
    } as const;
    this.revisions.insert(revision);
    this.revisionLogs.add(revision, "build", "INFO", "The sample agents are built in.");
    this.revisionLogs.add(
      revision,
      "deploy",
      "INFO",
      "The agent server is healthy; this revision is being served.",
    );
    const served = { latest_revision_id: revision.id, active_revision_id: revision.id };
    this.deployments.update(id, { status: "READY", ...served });
  }
}
