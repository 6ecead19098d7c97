import { allOf, reader, type Store } from "../store/store.ts";
import type { Deployment, DeploymentSettings, DeploymentStatus, Source } from "./deployment.ts";

/** Which deployments a listing means. */
export interface DeploymentFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: DeploymentStatus | undefined;
  readonly nameContains?: string | undefined;
  readonly deploymentType?: string | undefined;
}

/** The members of a deployment that can change. */
export type DeploymentChange = Partial<
  DeploymentSettings & Pick<Deployment, "status" | "latest_revision_id" | "active_revision_id">
>;

const toDeployment = reader<Deployment>(["source_config", "secret_names", "secret_references"]);

/** The deployments, newest first. */
export class Deployments {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  insert(id: string, name: string, source: Source, settings: DeploymentSettings): void {
    const now = new Date().toISOString();
    this.#store.insert("deployments", {
      ...settings,
      id,
      name,
      source,
      status: "AWAITING_DATABASE",
      created_at: now,
      updated_at: now,
    });
  }

  get(id: string): Deployment | undefined {
    return toDeployment(this.#store.get("SELECT * FROM deployments WHERE id = ?", id));
  }

  isNameTaken(name: string): boolean {
    return this.#store.get("SELECT 1 FROM deployments WHERE name = ?", name) !== undefined;
  }

  list(filter: DeploymentFilter, limit: number, offset: number): Deployment[] {
    const { where, parameters } = allOf(
      ["id IN (SELECT value FROM json_each(?))", filter.ids && JSON.stringify(filter.ids)],
      ["status = ?", filter.status],
      ["instr(lower(name), lower(?)) > 0", filter.nameContains],
      ["source_config ->> 'deployment_type' = ?", filter.deploymentType],
    );
    const sql = `SELECT * FROM deployments WHERE ${where} ORDER BY rowid DESC LIMIT ? OFFSET ?`;
    return this.#store.all(sql, ...parameters, limit, offset).map(toDeployment);
  }

  update(id: string, change: DeploymentChange): void {
    this.#store.update("deployments", { id }, { ...change, updated_at: new Date().toISOString() });
  }

  delete(id: string): void {
    this.#store.run("DELETE FROM deployments WHERE id = ?", id);
  }
}
