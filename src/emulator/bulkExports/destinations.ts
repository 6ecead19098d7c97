import { randomUUID } from "node:crypto";
import { reader, type Row, type Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";
import type { Credentials, Destination, DestinationConfig } from "./destination.ts";

const readRow = reader<Omit<Destination, "tenant_id" | "destination_type">>(
  ["credentials_keys", "config"],
  ["credentials_id"],
);

/** The destinations, and their credentials: sealed, and kept until the last export run that started with them ends. */
export class Destinations {
  readonly #store: Store;
  readonly #vault: Vault;
  readonly #tenantId: string;

  constructor(store: Store, vault: Vault, tenantId: string) {
    this.#store = store;
    this.#vault = vault;
    this.#tenantId = tenantId;
  }

  insert(displayName: string, config: DestinationConfig, credentials: Credentials | undefined): Destination {
    const now = new Date().toISOString();
    const id = randomUUID();
    const row = {
      ...{ id, display_name: displayName, config, created_at: now, updated_at: now },
      credentials_keys: keysOf(credentials),
    };
    this.#store.atomically(() => {
      const credentials_id = credentials && this.#seal(id, credentials);
      this.#store.insert("destinations", { ...row, credentials_id });
    });
    return { ...row, tenant_id: this.#tenantId, destination_type: "s3" };
  }

  get(id: string): Destination | undefined {
    const row = this.#store.get("SELECT * FROM destinations WHERE id = ?", id);
    return row === undefined ? undefined : this.#toDestination(row);
  }

  /** A destination that is known to exist. */
  require(id: string): Destination {
    const found = this.get(id);
    if (found === undefined) throw new Error(`The destination ${id} is gone.`);
    return found;
  }

  /** All destinations, oldest first. */
  list(): Destination[] {
    return this.#store
      .all("SELECT * FROM destinations ORDER BY rowid")
      .map((row) => this.#toDestination(row));
  }

  /** Takes new credentials into use; runs that have started keep the ones they started with. */
  replaceCredentials(id: string, credentials: Credentials): Destination {
    this.#store.atomically(() => {
      const change = { credentials_keys: keysOf(credentials), credentials_id: this.#seal(id, credentials) };
      this.#store.update("destinations", { id }, { ...change, updated_at: new Date().toISOString() });
      this.dropUnused();
    });
    return this.require(id);
  }

  /** Names the credentials that a run of this destination starts with; null stands for the environment's. */
  currentCredentials(id: string): string | null {
    const row = this.#store.get("SELECT credentials_id FROM destinations WHERE id = ?", id);
    return typeof row?.credentials_id === "string" ? row.credentials_id : null;
  }

  /** The credentials with this name. Throws `VaultError` when they can't be read. */
  credentials(credentialsId: string): Credentials {
    const row = this.#store.get("SELECT sealed FROM destination_credentials WHERE id = ?", credentialsId);
    if (!(row?.sealed instanceof Uint8Array)) throw new Error(`The credentials ${credentialsId} are gone.`);
    return JSON.parse(this.#vault.open(row.sealed, purpose(credentialsId))) as Credentials;
  }

  /** Forgets credentials that were replaced and that no unfinished run started with. */
  dropUnused(): void {
    this.#store.run(
      `DELETE FROM destination_credentials
       WHERE id NOT IN (SELECT credentials_id FROM destinations WHERE credentials_id IS NOT NULL)
         AND id NOT IN (SELECT credentials_id FROM bulk_export_runs
                        WHERE credentials_id IS NOT NULL AND finished_at IS NULL)`,
    );
  }

  #seal(destinationId: string, credentials: Credentials): string {
    const id = randomUUID();
    const sealed = this.#vault.seal(JSON.stringify(credentials), purpose(id));
    this.#store.insert("destination_credentials", { id, destination_id: destinationId, sealed });
    return id;
  }

  #toDestination(row: Row): Destination {
    return { ...readRow(row), tenant_id: this.#tenantId, destination_type: "s3" };
  }
}

function purpose(credentialsId: string): string {
  return `destination credentials ${credentialsId}`;
}

function keysOf(credentials: Credentials | undefined): string[] {
  return Object.entries(credentials ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
