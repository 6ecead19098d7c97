import { randomBytes, randomUUID } from "node:crypto";
import { deleteSetting, readSetting, writeSetting } from "../store/settings.ts";
import type { Store } from "../store/store.ts";
import { type Vault, VaultError } from "./vault.ts";

/** Who this platform is: kept in the data directory, so that a restart changes nothing for its clients. */
export interface Identity {
  readonly apiKey: string;
  readonly workspaceId: string;
  /** The sample deployment's id. */
  readonly deploymentId: string;
}

const purpose = "the platform's own API key";
const sealedName = "sealed_api_key";
/** Earlier versions kept the key as it is. */
const plainName = "api_key";

/** Reads or makes the identity; a given key replaces the stored one. The key is sealed before it is stored. */
export function readIdentity(store: Store, vault: Vault, givenKey: string | undefined): Identity {
  return {
    apiKey: readKey(store, vault, givenKey),
    workspaceId: setting(store, "workspace_id"),
    deploymentId: setting(store, "deployment_id"),
  };
}

function readKey(store: Store, vault: Vault, givenKey: string | undefined): string {
  const plain = readSetting(store, plainName);
  const sealed = readSetting(store, sealedName);
  const stored = sealed === undefined ? plain : opened(vault, sealed);
  const key = givenKey ?? stored ?? `local_${randomBytes(24).toString("base64url")}`;
  if (sealed === undefined || key !== stored)
    writeSetting(store, sealedName, vault.seal(key, purpose).toString("base64"));
  if (plain !== undefined) {
    deleteSetting(store, plainName);
    store.scrub();
  }
  return key;
}

/** Undefined when the vault's own key was lost: a new API key serves, where nothing else would. */
function opened(vault: Vault, sealed: string): string | undefined {
  try {
    return vault.open(Buffer.from(sealed, "base64"), purpose);
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

function setting(store: Store, name: string): string {
  const stored = readSetting(store, name);
  if (stored !== undefined) return stored;
  const made = randomUUID();
  writeSetting(store, name, made);
  return made;
}
