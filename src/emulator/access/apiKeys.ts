import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { uuid5 } from "../kit/ids.ts";
import type { Identity } from "./identity.ts";
import { reader, type Store } from "../store/store.ts";

/** What each role may do; `*` stands for anything, also within a name. */
export const roles = {
  admin: ["*"],
  editor: ["*:read", "*:create", "*:update", "*:delete", "*:run", "*:invoke"],
  viewer: ["*:read"],
} as const;

/** What a key is good for. */
export interface Grant {
  /** Permission names; `*` stands for anything, also within a name. */
  readonly permissions: readonly string[];
  /** A key of an organisation is good only together with a workspace. */
  readonly scope: "workspace" | "organization";
}

/** Who sends a request. All keys are the one user's of this platform. */
export interface Caller extends Grant {
  readonly userId: string;
}

/** A further API key as its owner sees it: never with the key itself. */
export interface ApiKey extends Grant {
  readonly id: string;
  readonly name: string;
  /** The first characters of the key, by which people recognise it. */
  readonly short_key: string;
  readonly created_at: string;
}

const toApiKey = reader<ApiKey>(["permissions"], ["key_hash"]);

/** The platform's own key, which may do everything, and further keys that may do less. Only hashes are kept. */
export class ApiKeys {
  readonly #store: Store;
  readonly #identity: Identity;
  readonly #userId: string;

  constructor(store: Store, identity: Identity) {
    this.#store = store;
    this.#identity = identity;
    this.#userId = uuid5(identity.workspaceId, "user");
  }

  /** Makes a key; this is the only answer that holds it. */
  create(name: string, permissions: readonly string[], scope: Grant["scope"]): ApiKey & { api_key: string } {
    const api_key = `local_${randomBytes(24).toString("base64url")}`;
    const short_key = api_key.slice(0, 10);
    const created_at = new Date().toISOString();
    const key = { id: randomUUID(), name, short_key, permissions, scope, created_at };
    this.#store.insert("api_keys", { ...key, key_hash: digest(api_key).toString("hex") });
    return { ...key, api_key };
  }

  list(): ApiKey[] {
    return this.#store.all("SELECT * FROM api_keys ORDER BY rowid").map(toApiKey);
  }

  /** Whether there was such a key. */
  delete(id: string): boolean {
    return this.#store.run("DELETE FROM api_keys WHERE id = ?", id) > 0;
  }

  /** The caller that the key belongs to; undefined when it is not valid. */
  callerOf(key: string): Caller | undefined {
    const hash = digest(key);
    if (timingSafeEqual(hash, digest(this.#identity.apiKey))) {
      return { permissions: roles.admin, scope: "workspace", userId: this.#userId };
    }
    const row = this.#store.get("SELECT * FROM api_keys WHERE key_hash = ?", hash.toString("hex"));
    return row === undefined ? undefined : { ...toApiKey(row), userId: this.#userId };
  }

  /** Whether a key stands in a text such as a header's or an address, as it is or as HTTP encodes it. */
  areIn(text: string): boolean {
    const [, basic = ""] = /^basic +(\S+)$/i.exec(text) ?? [];
    const forms = [text, decoded(text), Buffer.from(basic, "base64").toString()];
    const own = this.#identity.apiKey;
    return forms.some((form) => {
      const words = form.split(/[\s,;:=&?/"]+/);
      // A short key that somebody chose may stand in other words.
      if (words.includes(own) || (own.length >= 8 && form.includes(own))) return true;
      return [...form.matchAll(keyPattern)].some(([key]) => this.callerOf(key) !== undefined);
    });
  }
}

/** Keys as `create` and a first start make them. */
const keyPattern = /local_[\w-]{32}/g;

/** Whether a caller holds a permission. */
export function isAllowed(caller: Grant, permission: string): boolean {
  return caller.permissions.some((held) => {
    if (!held.includes("*")) return held === permission;
    const [before = "", after = ""] = held.split("*", 2);
    return permission.startsWith(before) && permission.endsWith(after);
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
