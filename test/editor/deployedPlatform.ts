import assert from "node:assert/strict";
import type { RevisionRef } from "../../src/editor/connections/connection.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { text } from "../support/localPlatform.ts";
import type { LocalPlatform, Shape } from "../support/localPlatform.ts";
import { connectPlatform } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

/** A platform with a control plane, and what tests do to it behind the extension's back. */
export class DeployedPlatform {
  connectionId = "";
  #platform: LocalPlatform | undefined;
  #controlPlane: ControlPlaneClient | undefined;

  get platform(): LocalPlatform {
    assert(this.#platform, "the platform runs while a test does");
    return this.#platform;
  }

  get controlPlane(): ControlPlaneClient {
    assert(this.#controlPlane, "the platform runs while a test does");
    return this.#controlPlane;
  }

  use(platform: LocalPlatform): void {
    this.#platform = platform;
    this.#controlPlane = new ControlPlaneClient(platform);
  }

  async connect(extension: Extension): Promise<void> {
    this.connectionId = (await connectPlatform(extension, "Test", this.platform)).id;
  }

  /** Makes the connection one to production. */
  async protect({ connections }: Extension): Promise<void> {
    const setting = connections.get(this.connectionId);
    assert(setting);
    await connections.update({ ...setting, protected: "word" });
  }

  /** A deployment whose first revision has ended. */
  async deployed(fields: Record<string, unknown> = {}): Promise<Shape> {
    const made = await this.controlPlane.create(fields);
    await this.controlPlane.follow(made.id, made.latest_revision_id);
    return made;
  }

  /** The latest revision of a deployment as it was made. */
  ref({ id, latest_revision_id: revisionId }: Shape): RevisionRef {
    return { connectionId: this.connectionId, deploymentId: text(id), revisionId: text(revisionId) };
  }

  /** Answers what is read below a path so, until `healed`. */
  async fault(path: string, answer: object): Promise<void> {
    const body = { match: { method: "GET", path }, ...answer, times: 1000 };
    const { status } = await this.platform.send("POST", `${this.platform.ready.localUrl}/faults`, body);
    assert.equal(status, 201);
  }

  async healed(): Promise<void> {
    await this.platform.send("DELETE", `${this.platform.ready.localUrl}/faults`);
  }
}

/** Has a platform for each test, which finds it connected after what `prepare` does. */
export function useDeployedPlatform(prepare?: (host: DeployedPlatform) => Promise<void>): DeployedPlatform {
  const host = new DeployedPlatform();
  useOwnPlatform(async ({ extension, platform }) => {
    host.use(platform);
    await prepare?.(host);
    await host.connect(extension);
  });
  return host;
}
