import { randomUUID } from "node:crypto";
import { parseObject } from "../kit/json.ts";
import type { Row, Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";
import type { Credentials, Destination, DestinationConfig } from "./destination.ts";

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
    const destination: Destination = {
      id: randomUUID(),
      tenant_id: this.#tenantId,
      created_at: now,
      updated_at: now,
      credentials_keys: keysOf(credentials),
      destination_type: "s3",
      display_name: displayName,
      config,
    };
    this.#store.atomically(() =>
      this.#store.run(
        "INSERT INTO destinations VALUES (?, ?, ?, ?, ?, ?, ?)",
        destination.id,
        displayName,
        JSON.stringify(config),
        JSON.stringify(destination.credentials_keys),
        credentials === undefined ? null : this.#seal(destination.id, credentials),
        now,
        now,
      ),
    );
    return destination;
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
      this.#store.run(
        "UPDATE destinations SET credentials_keys = ?, credentials_id = ?, updated_at = ? WHERE id = ?",
        JSON.stringify(keysOf(credentials)),
        this.#seal(id, credentials),
        new Date().toISOString(),
        id,
      );
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
    this.#store.run(
      "INSERT INTO destination_credentials VALUES (?, ?, ?)",
      id,
      destinationId,
      this.#vault.seal(JSON.stringify(credentials), purpose(id)),
    );
    return id;
  }

  #toDestination(row: Row): Destination {
    return {
      id: String(row.id),
      tenant_id: this.#tenantId,
      created_at: String(row.created_at),
      updated_at: String(row.updated_at),
      credentials_keys: JSON.parse(String(row.credentials_keys)) as string[],
      destination_type: "s3",
      display_name: String(row.display_name),
      config: parseObject(row.config) as DestinationConfig,
    };
  }
}

function purpose(credentialsId: string): string {
  return `destination credentials ${credentialsId}`;
}

function keysOf(credentials: Credentials | undefined): string[] {
  return Object.entries(credentials ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
