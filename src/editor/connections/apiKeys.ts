/**
 * API keys, kept in secret storage only, and where whatever a connection sends may go: to the addresses that a person
 * typed, and to origins that a person confirmed.
 */

import * as vscode from "vscode";
import type { Connection, ConnectionSetting } from "./connection.ts";
import { originsOf } from "./connectionSettings.ts";
import { KeptList } from "../kit/keptList.ts";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";

/**
 * "lost": a key was stored and the editor's secret storage no longer has it.
 * "otherOrigin": the connection has an address that the key was not entered for.
 */
export type KeyState = "none" | "stored" | "env" | "envMissing" | "otherOrigin" | "lost";

/** Either the key itself or the name of the environment variable that holds it. */
type StoredKey =
  | { readonly origins: readonly string[]; readonly key: string }
  | { readonly origins: readonly string[]; readonly env: string };

/** What secret storage has of a connection. */
interface KeptKey {
  readonly stored: StoredKey | undefined;
  readonly confirmed: readonly string[];
  readonly origins: readonly string[];
}

const prefix = "agentOperations.apiKey.";
const confirmedPrefix = "agentOperations.confirmedOrigins.";
/** Which connections have had a key, so that a lost key differs from none; holds no key. */
const memoryName = "agentOperations.connectionsWithKey";

/** The connections' keys. */
export class ApiKeys implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #remembered: KeptList<string>;
  readonly #localPlatform: LocalPlatform;
  readonly #changed = new vscode.EventEmitter<string>();
  /** The id of the connection whose key or confirmed origins changed, in whichever window. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(secrets: vscode.SecretStorage, memory: vscode.Memento, localPlatform: LocalPlatform) {
    this.#secrets = secrets;
    this.#remembered = new KeptList(memory, memoryName, (id) => id);
    this.#localPlatform = localPlatform;
    this.#subscription = secrets.onDidChange(({ key }) => {
      for (const start of [prefix, confirmedPrefix])
        if (key.startsWith(start)) this.#changed.fire(key.slice(start.length));
    });
  }

  /** The key for a request to the address; undefined when there is none for its origin. */
  async read(connection: ConnectionSetting | Connection, url: string): Promise<string | undefined> {
    const { origin } = new URL(url);
    if (connection.kind === "localPlatform") {
      const state = this.#localPlatform.state;
      if (state.kind !== "running" || new URL(state.ready.baseUrl).origin !== origin) return undefined;
      return state.ready.apiKey;
    }
    const { stored, origins } = await this.#kept(connection.id);
    if (stored === undefined || !origins.includes(origin)) return undefined;
    return "key" in stored ? stored.key : process.env[stored.env];
  }

  /** The origins that the key may go to: those that it was entered for and confirmed ones; none when there is no key. */
  async origins(connectionId: string): Promise<readonly string[]> {
    return (await this.#kept(connectionId)).origins;
  }

  /** Whether anything of the connection may go to the address: its key, its headers, its workspace id. */
  async allows(connection: ConnectionSetting | Connection, url: string): Promise<boolean> {
    const { origin } = new URL(url);
    return (
      originsOf(connection).includes(origin) || (await this.#kept(connection.id)).confirmed.includes(origin)
    );
  }

  /** Keeps a key, or the reference `${env:NAME}`, for the connection and exactly the origins of these addresses. */
  async set(connectionId: string, urls: readonly string[], key: string): Promise<void> {
    const origins = [...new Set(urls.map((url) => new URL(url).origin))];
    const env = environmentReference(key);
    const stored: StoredKey = env === undefined ? { origins, key } : { origins, env };
    await this.#secrets.store(prefix + connectionId, JSON.stringify(stored));
    await this.#remembered.keep(connectionId);
  }

  /** Lets what the connection sends go to one more origin, because a person said so. */
  async allow(connectionId: string, url: string): Promise<void> {
    const { confirmed } = await this.#kept(connectionId);
    const origins = [...new Set([...confirmed, new URL(url).origin])];
    await this.#secrets.store(confirmedPrefix + connectionId, JSON.stringify(origins));
  }

  /** Forgets what was confirmed; the addresses of the settings stay. */
  async forgetConfirmed(connectionId: string): Promise<void> {
    await this.#secrets.delete(confirmedPrefix + connectionId);
  }

  /** Forgets the key; what was confirmed stays. */
  async clear(connectionId: string): Promise<void> {
    await this.#remembered.forget(connectionId);
    await this.#secrets.delete(prefix + connectionId);
  }

  async state(connection: ConnectionSetting | Connection): Promise<KeyState> {
    if (connection.kind === "localPlatform") {
      return this.#localPlatform.state.kind === "running" ? "stored" : "none";
    }
    const { stored, origins } = await this.#kept(connection.id);
    if (stored === undefined) return this.#remembered.get(connection.id) !== undefined ? "lost" : "none";
    if (originsOf(connection).some((origin) => !origins.includes(origin))) return "otherOrigin";
    if ("key" in stored) return "stored";
    return process.env[stored.env] === undefined ? "envMissing" : "env";
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** What was confirmed, and the key with all origins that it may go to. Each request waits for it: it is read at once. */
  async #kept(connectionId: string): Promise<KeptKey> {
    const names = [prefix + connectionId, confirmedPrefix + connectionId];
    const [key, also] = await Promise.all(names.map((name) => this.#secrets.get(name)));
    const stored = key === undefined ? undefined : (JSON.parse(key) as StoredKey);
    // Version 0.1.0 kept the confirmed origins with the key.
    const confirmed = also === undefined ? (stored?.origins ?? []) : (JSON.parse(also) as readonly string[]);
    const origins = stored === undefined ? [] : [...new Set([...stored.origins, ...confirmed])];
    return { stored, confirmed, origins };
  }
}

/** The variable's name when the text is a reference `${env:NAME}`. */
export function environmentReference(text: string): string | undefined {
  return /^\$\{env:([^}]+)\}$/.exec(text.trim())?.[1];
}

/** What keeps the text from being a key, in words for the input box. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (environmentReference(key) !== undefined) return undefined;
  if (key.startsWith("${")) return "Name an environment variable as ${env:NAME}.";
  return /^[\x21-\x7e]*$/.test(key) ? undefined : "An API key has no spaces and only plain characters.";
}
