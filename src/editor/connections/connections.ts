/** The connections of the user's settings, and the workspace's own graphs; a workspace's settings are never read. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Connection, ConnectionSetting } from "./connection.ts";
import { type ConnectionEntry, ConnectionError, readConnections } from "./connectionSettings.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { type LocalPlatform, startsByItself } from "../localPlatform/localPlatform.ts";
import type { WorkspaceGraphs } from "../workspaceGraphs/workspaceGraphs.ts";

/** The id of the Local Platform's own connection. */
export const LOCAL_CONNECTION = "local";

/** Reads, writes and resolves the connections. */
export class Connections implements vscode.Disposable {
  readonly #localPlatform: LocalPlatform;
  readonly #workspaceGraphs: WorkspaceGraphs;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The list, the default, or the state of what runs on this machine changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #entries: readonly ConnectionEntry[] | undefined;

  constructor(localPlatform: LocalPlatform, workspaceGraphs: WorkspaceGraphs) {
    this.#localPlatform = localPlatform;
    this.#workspaceGraphs = workspaceGraphs;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      localPlatform.onDidChange(() => this.#changed.fire()),
      workspaceGraphs.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        const affected = [SETTINGS.connections, SETTINGS.defaultConnection, SETTINGS.localPlatformAutoStart];
        if (!affected.some((key) => event.affectsConfiguration(`${SECTION}.${key}`))) return;
        this.#entries = undefined;
        this.#changed.fire();
      }),
    );
  }

  /**
   * The workspace's graphs, and all connections in the order of the settings, broken ones included: `resolve` says what
   * is wrong.
   */
  list(): readonly ConnectionSetting[] {
    return [...this.#ofWorkspace(), ...this.#read().map(({ setting }) => setting)];
  }

  /** Like `list`, without graphs that do not run: those are asked nothing until a person starts them. */
  running(): readonly ConnectionSetting[] {
    return this.list().filter(
      ({ id, kind }) => kind !== "workspaceGraphs" || this.#workspaceGraphs.state(id).kind === "running",
    );
  }

  /** What to wait for before the connection's server can answer: a debugger holds it. Undefined while none does. */
  heldUntil(id: string): Promise<unknown> | undefined {
    return this.#workspaceGraphs.debugging.heldUntil(id);
  }

  get(id: string): ConnectionSetting | undefined {
    return this.#entry(id)?.setting ?? this.#ofWorkspace().find((setting) => setting.id === id);
  }

  /** The chosen default, by its name or its id, else the first of the settings, else the workspace's first graphs. */
  default(): ConnectionSetting | undefined {
    return this.#chosen ?? this.#read()[0]?.setting ?? this.#ofWorkspace()[0];
  }

  /** The connection with its addresses; throws ConnectionError when it can't be used. */
  resolve(id: string): Connection {
    const own = this.#ofWorkspace().find((setting) => setting.id === id);
    if (own !== undefined) {
      const state = this.#workspaceGraphs.state(id);
      if (state.kind === "running") return { ...own, url: state.url };
      const { why, remedy } = this.#workspaceGraphs.whyNot(id);
      throw new ConnectionError("graphsStopped", why, remedy);
    }
    const entry = this.#entry(id);
    if (entry === undefined) {
      throw new ConnectionError(
        "unknown",
        `There is no connection “${id}” any more.`,
        "Choose another connection.",
      );
    }
    if (entry.problem !== undefined) throw entry.problem;
    const { setting } = entry;
    if (setting.kind !== "localPlatform") return { ...setting, url: setting.url ?? "" };
    const state = this.#localPlatform.state;
    if (state.kind !== "running") {
      const why = state.kind === "failed" ? state.message : "The Local Platform is not running.";
      throw new ConnectionError("localPlatformStopped", why, "Start the Local Platform.");
    }
    const { baseUrl, controlPlaneUrl, workspaceId } = state.ready;
    return { ...setting, url: baseUrl, controlPlaneUrl, workspaceId };
  }

  /**
   * Adds a connection under a new id; the Local Platform's id is always the same. `prepare`, which may store
   * its key, is done before the connection is listed and its server is asked.
   */
  async add(
    setting: Omit<ConnectionSetting, "id">,
    prepare?: (added: ConnectionSetting) => Promise<void>,
  ): Promise<ConnectionSetting> {
    const id = setting.kind === "localPlatform" ? LOCAL_CONNECTION : randomUUID().slice(0, 8);
    const added = { id, ...setting };
    await prepare?.(added);
    await this.#write([...this.#read().map(({ raw }) => raw), added]);
    return added;
  }

  /** Replaces the connection with the same id; the other entries stay as they were typed. */
  async update(setting: ConnectionSetting): Promise<void> {
    const isDefault = this.#chosen?.id === setting.id;
    await this.#write(this.#read().map((entry) => (entry.setting.id === setting.id ? setting : entry.raw)));
    if (isDefault) await this.setDefault(setting.id);
  }

  async remove(id: string): Promise<void> {
    const isDefault = this.#chosen?.id === id;
    if (this.get(id)?.kind === "localPlatform")
      await writeUserSetting(SETTINGS.localPlatformAutoStart, undefined);
    await this.#write(
      this.#read()
        .filter((entry) => entry.setting.id !== id)
        .map(({ raw }) => raw),
    );
    if (isDefault) await writeUserSetting(SETTINGS.defaultConnection, undefined);
  }

  /** Writes the name, which people read in their settings, unless others have it, too. */
  async setDefault(id: string): Promise<void> {
    const name = this.get(id)?.name;
    const isSole = name !== undefined && this.list().filter((other) => other.name === name).length === 1;
    await writeUserSetting(SETTINGS.defaultConnection, isSole ? name : id);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  get #chosen(): ConnectionSetting | undefined {
    const chosen = userSetting(SETTINGS.defaultConnection);
    return this.list().find(({ id }) => id === chosen) ?? this.list().find(({ name }) => name === chosen);
  }

  #ofWorkspace(): readonly ConnectionSetting[] {
    return this.#workspaceGraphs.projects.map(({ id, name }) => ({ id, name, kind: "workspaceGraphs" }));
  }

  #entry(id: string): ConnectionEntry | undefined {
    return this.#read().find(({ setting }) => setting.id === id);
  }

  /** A Local Platform that starts by itself is listed without having been added. */
  #read(): readonly ConnectionEntry[] {
    if (this.#entries !== undefined) return this.#entries;
    const written = readConnections(userSetting(SETTINGS.connections));
    const has = written.some(({ setting }) => setting.kind === "localPlatform");
    const implied = readConnections([
      { id: LOCAL_CONNECTION, name: "Local Platform", kind: "localPlatform" },
    ]);
    this.#entries = has || !startsByItself() ? written : [...written, ...implied];
    return this.#entries;
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await writeUserSetting(SETTINGS.connections, entries.length === 0 ? undefined : entries);
    this.#entries = undefined;
  }
}

function userSetting(key: string): unknown {
  return vscode.workspace.getConfiguration(SECTION).inspect<unknown>(key)?.globalValue;
}

async function writeUserSetting(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(SECTION).update(key, value, vscode.ConfigurationTarget.Global);
}
