import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { list, text } from "./localPlatform.ts";
import type { Answer, LocalPlatform, Shape } from "./localPlatform.ts";
import { until } from "./until.ts";

/** What tests ask the control plane of a Local Platform. */
export class ControlPlaneClient {
  readonly platform: LocalPlatform;

  constructor(platform: LocalPlatform) {
    this.platform = platform;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return await this.platform.send(method, this.platform.ready.controlPlaneUrl + path, body, headers);
  }

  /** A deployment from a repository, or from whatever is given instead. */
  async create(fields: Record<string, unknown> = {}): Promise<Shape> {
    const answer = await this.send("POST", "/v2/deployments", deploymentBody(fields));
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  async get(id: unknown): Promise<Shape> {
    return (await this.send("GET", `/v2/deployments/${text(id)}`)).body;
  }

  async revision(deploymentId: unknown, revisionId: unknown): Promise<Shape> {
    return (await this.send("GET", `/v2/deployments/${text(deploymentId)}/revisions/${text(revisionId)}`))
      .body;
  }

  async revisions(deploymentId: unknown): Promise<Shape[]> {
    return list((await this.send("GET", `/v2/deployments/${text(deploymentId)}/revisions`)).body.resources);
  }

  /** Polls a revision until it ends; answers the statuses that were seen, each once. */
  async follow(
    deploymentId: unknown,
    revisionId: unknown,
    last: readonly string[] = ends,
  ): Promise<string[]> {
    const seen: string[] = [];
    const isLast = async (): Promise<boolean> => {
      const status = text((await this.revision(deploymentId, revisionId)).status);
      if (seen.at(-1) !== status) seen.push(status);
      return last.includes(status);
    };
    await until("the revision ends", isLast).catch((cause: unknown) => {
      throw new Error(`The revision did not end: ${seen.join(", ")}`, { cause });
    });
    return seen;
  }

  /** Sets how long a revision stays in each status. */
  async pace(revision_step_ms: number, more: Record<string, unknown> = {}): Promise<void> {
    const url = `${this.platform.ready.localUrl}/settings`;
    const { status } = await this.platform.send("PATCH", url, { revision_step_ms, ...more });
    assert.equal(status, 200);
  }
}

/** The body that creates a deployment from a repository, with some fields changed. */
export function deploymentBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `agent-${crypto.randomUUID()}`,
    source: "github",
    source_config: { repo_url: "https://github.test/owner/repo", deployment_type: "dev" },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
    ...fields,
  };
}

/** Whether any file row of a stopped platform's database holds the text. */
export function databaseHolds(directory: string, needle: string): boolean {
  const db = new DatabaseSync(join(directory, "platform.db"), { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const found = tables.some(({ name }) =>
    JSON.stringify(db.prepare(`SELECT * FROM "${String(name)}"`).all()).includes(needle),
  );
  db.close();
  return found;
}

const ends = ["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED"];
