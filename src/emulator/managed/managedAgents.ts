import { createHash, randomUUID } from "node:crypto";
import { uuid7 } from "../kit/ids.ts";
import { type JsonObject, parseObject } from "../kit/json.ts";
import { readSetting, writeSetting } from "../store/settings.ts";
import { reader, type Store } from "../store/store.ts";
import {
  type Backend,
  type CreateAgentBody,
  type Permissions,
  permissionsBody,
  type UpdateAgentBody,
} from "./agentBody.ts";
import { changesTree, changeTree, type FileTree } from "./fileTree.ts";

/** A managed agent without its files. */
export interface ManagedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: Permissions;
  readonly runtime: JsonObject;
  readonly backend: Backend;
  /** What the caller keeps with the agent. */
  readonly extras: JsonObject;
  /** Further runtime configuration. */
  readonly configurable: JsonObject;
  /** The commit that its files are at. */
  readonly revision: string;
  readonly tracing_project_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const limitSetting = "managed_agent_limit";

const toAgent = reader<ManagedAgent>(
  ["permissions", "runtime", "backend", "extras", "configurable"],
  ["folded_name"],
);

/** The managed agents, each with the history of its files. */
export class ManagedAgents {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get(id: string): ManagedAgent | undefined {
    return toAgent(this.#store.get("SELECT * FROM managed_agents WHERE id = ?", id));
  }

  /** How many agents there may be; null for any number. */
  get limit(): number | null {
    const text = readSetting(this.#store, limitSetting) ?? "";
    return text === "" ? null : Number(text);
  }

  set limit(limit: number | null) {
    writeSetting(this.#store, limitSetting, String(limit ?? ""));
  }

  count(): number {
    return Number(this.#store.get("SELECT count(*) AS n FROM managed_agents")?.n);
  }

  /** The files of an agent at its newest revision. */
  files(agent: ManagedAgent): FileTree {
    const row = this.#store.get(
      "SELECT files FROM managed_agent_revisions WHERE agent_id = ? AND revision = ?",
      agent.id,
      agent.revision,
    );
    return parseObject(row?.files) as FileTree;
  }

  /** Makes an agent with its tracing project and the first revision of its files. Throws 422. */
  create(body: CreateAgentBody): ManagedAgent {
    return this.#insert(body, changeTree({}, body));
  }

  /** Makes a copy with the same behaviour; what its caller kept with it and who may use it start afresh. */
  clone(original: ManagedAgent, name: string, permissions: Permissions | undefined): ManagedAgent {
    const { description, runtime, backend, configurable } = original;
    const kept = { name, description, runtime, backend, configurable };
    return this.#insert({ ...kept, ...(permissions ? { permissions } : {}) }, this.files(original));
  }

  /** Changes the fields that are given; a change of its files makes a revision. Throws 422. */
  update(agent: ManagedAgent, body: UpdateAgentBody): ManagedAgent {
    const { name, description, permissions, runtime, backend, extras, configurable } = body;
    const given = { name, description, permissions, runtime, backend, extras, configurable };
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const files = changesTree(body) ? changeTree(this.files(agent), body) : undefined;
    return this.#store.atomically(() => {
      const now = new Date().toISOString();
      const revision = files === undefined ? agent.revision : this.#commit(agent.id, agent.revision, files);
      const updated = { ...agent, ...(set as Partial<ManagedAgent>), revision, updated_at: now };
      const changed = { ...set, folded_name: fold(updated.name), revision, updated_at: now };
      this.#store.update("managed_agents", { id: agent.id }, changed);
      return updated;
    });
  }

  /** Forgets an agent and its files; its threads stay. */
  delete(id: string): void {
    this.#store.run("DELETE FROM managed_agents WHERE id = ?", id);
  }

  #insert(body: CreateAgentBody, files: FileTree): ManagedAgent {
    const id = uuid7();
    const now = new Date().toISOString();
    return this.#store.atomically(() => {
      const agent: ManagedAgent = {
        id,
        name: body.name,
        description: body.description ?? "",
        permissions: body.permissions ?? permissionsBody.parse({}),
        runtime: body.runtime ?? {},
        backend: body.backend ?? { type: "state" },
        extras: body.extras ?? {},
        configurable: body.configurable ?? {},
        revision: this.#commit(id, null, files),
        tracing_project_id: randomUUID(),
        created_at: now,
        updated_at: now,
      };
      this.#store.insert("managed_agents", { ...agent, folded_name: fold(agent.name) });
      return agent;
    });
  }

  /** Stores a state of the files and answers its revision. */
  #commit(agentId: string, parent: string | null, files: FileTree): string {
    const text = JSON.stringify(files);
    const now = new Date().toISOString();
    const revision = createHash("sha1").update(`${agentId} ${uuid7()} ${parent}\n${text}`).digest("hex");
    const row = { agent_id: agentId, revision, parent, files: text, created_at: now };
    this.#store.insert("managed_agent_revisions", row);
    return revision;
  }
}

/** A text as names are compared: without regard to case. */
export function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
