import { reader, type Store } from "../store/store.ts";
import { progressStatuses, type Revision, type RevisionStatus } from "./deployment.ts";

const toRevision = reader<Revision>(["source_revision_config"]);

/** The revisions of all deployments. */
export class Revisions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  insert(revision: Revision): void {
    this.#store.insert("revisions", revision);
  }

  find(id: string): Revision | undefined {
    return toRevision(this.#store.get("SELECT * FROM revisions WHERE id = ?", id));
  }

  /** Newest first; of all statuses when none are given. */
  list(deploymentId: string, statuses: readonly RevisionStatus[], limit: number, offset: number): Revision[] {
    return this.#store
      .all(
        `SELECT * FROM revisions WHERE deployment_id = ?
         AND (? = 0 OR status IN (SELECT value FROM json_each(?))) ORDER BY id DESC LIMIT ? OFFSET ?`,
        deploymentId,
        statuses.length,
        JSON.stringify(statuses),
        limit,
        offset,
      )
      .map(toRevision);
  }

  /** Those that are not where they end, oldest first; of one deployment or of all. */
  unfinished(deploymentId?: string): Revision[] {
    return this.#store
      .all(
        `SELECT * FROM revisions WHERE status IN (SELECT value FROM json_each(?))
         AND (? IS NULL OR deployment_id = ?) ORDER BY id`,
        JSON.stringify(progressStatuses),
        deploymentId ?? null,
        deploymentId ?? null,
      )
      .map(toRevision);
  }

  setStatus(id: string, status: RevisionStatus): void {
    this.#store.update("revisions", { id }, { status, updated_at: new Date().toISOString() });
  }

  deleteOf(deploymentId: string): void {
    this.#store.run("DELETE FROM revisions WHERE deployment_id = ?", deploymentId);
  }
}
