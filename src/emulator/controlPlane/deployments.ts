import type { SQLInputValue } from "node:sqlite";
import { reader, type Store } from "../store/store.ts";
import type { Deployment, DeploymentSettings, DeploymentStatus, Source } from "./deployment.ts";

/** Which deployments a listing means. */
export interface DeploymentFilter {
  readonly ids?: readonly string[] | undefined;
  readonly status?: DeploymentStatus | undefined;
  readonly nameContains?: string | undefined;
  readonly deploymentType?: string | undefined;
}

const toDeployment = reader<Deployment>(
  [
    "id",
    "name",
    "display_name",
    "source",
    "status",
    "latest_revision_id",
    "active_revision_id",
    "created_at",
    "updated_at",
  ],
  ["source_config", "secret_names", "secret_references"],
);

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
    const terms = ["TRUE"];
    const parameters: SQLInputValue[] = [];
    const add = (term: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      terms.push(term);
      parameters.push(value);
    };
    add("id IN (SELECT value FROM json_each(?))", filter.ids && JSON.stringify(filter.ids));
    add("status = ?", filter.status);
    add("instr(lower(name), lower(?)) > 0", filter.nameContains);
    add("source_config ->> 'deployment_type' = ?", filter.deploymentType);
    const sql = `SELECT * FROM deployments WHERE ${terms.join(" AND ")} ORDER BY rowid DESC LIMIT ? OFFSET ?`;
    return this.#store.all(sql, ...parameters, limit, offset).map(toDeployment);
  }

  update(id: string, settings: DeploymentSettings): void {
    this.#store.run(
      `UPDATE deployments SET display_name = ?, source_config = ?, secret_names = ?, secret_references = ?,
       updated_at = ? WHERE id = ?`,
      settings.display_name,
      JSON.stringify(settings.source_config),
      JSON.stringify(settings.secret_names),
      JSON.stringify(settings.secret_references),
      new Date().toISOString(),
      id,
    );
  }

  setStatus(id: string, status: DeploymentStatus): void {
    this.#set(id, "status", status);
  }

  setLatestRevision(id: string, revisionId: string): void {
    this.#set(id, "latest_revision_id", revisionId);
  }

  setActiveRevision(id: string, revisionId: string): void {
    this.#set(id, "active_revision_id", revisionId);
  }

  delete(id: string): void {
    this.#store.run("DELETE FROM deployments WHERE id = ?", id);
  }

  #set(id: string, column: "status" | "latest_revision_id" | "active_revision_id", value: string): void {
    const sql = `UPDATE deployments SET ${column} = ?, updated_at = ? WHERE id = ?`;
    this.#store.run(sql, value, new Date().toISOString(), id);
  }
}
