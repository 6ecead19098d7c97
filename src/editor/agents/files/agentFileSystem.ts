/** Managed agents as folders of the editor: read and written file by file, never over a newer version unasked. */

import * as vscode from "vscode";
import { ApiError, isGone } from "../../../api/errors.ts";
import type { AgentUpdate } from "../../../api/managedAgents/wire.ts";
import type { AgentBases } from "./agentBases.ts";
import { type AgentTree, differences, problemsOfFile, updateOf } from "./agentTree.ts";
import { clashAmong, pathProblem } from "./fileNames.ts";
import { agentIdIn, settingsChange } from "./agentSettings.ts";
import type { AgentSnapshot, AgentStore } from "./agentStore.ts";
import { agentFileOf, type AgentFileRef, agentKey, type AgentRef, foldersInUse } from "./agentUri.ts";
import type { Connections } from "../../connections/connections.ts";
import { adviceFor, adviceText } from "../../kit/remedies.ts";
import { type FileWrite, guardedWrite } from "./guardedWrite.ts";

/** A file was changed on the platform since the editor saw it, and was therefore not saved. */
export interface Conflict {
  readonly file: AgentFileRef;
  readonly uri: vscode.Uri;
}

interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
  /** Whether the editor saves it by itself. */
  readonly isUnasked?: boolean;
}

/** The editor's file system for agents. */
export class AgentFileSystem implements Omit<vscode.FileSystemProvider, "watch">, vscode.Disposable {
  readonly #store: AgentStore;
  readonly #bases: AgentBases;
  readonly #connections: Pick<Connections, "resolve">;
  /** Folders that have no file yet: the platform knows only files. */
  readonly #emptyFolders = new Set<string>();
  /** The text of `agent.json` as it was saved: it is shown as long as it means the same as the platform's settings. */
  readonly #typedSettings = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #conflicted = new vscode.EventEmitter<Conflict>();
  readonly onDidConflict = this.#conflicted.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(store: AgentStore, bases: AgentBases, connections: Pick<Connections, "resolve">) {
    this.#store = store;
    this.#connections = connections;
    this.#bases = bases;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      this.#conflicted,
      store.onDidChange(({ ref, before, after }) => this.#filesChanged(ref, before, after)),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const file = fileRefOf(uri);
    const snapshot = await this.#snapshot(uri, file);
    const text = this.#text(file, snapshot);
    if (text === undefined) {
      if (!this.#isFolder(uri, file, snapshot.tree)) throw vscode.FileSystemError.FileNotFound(uri);
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const locked = file.theirs || snapshot.agent.access_level?.toUpperCase() === "READ";
    return {
      type: vscode.FileType.File,
      ctime: Date.parse(snapshot.agent.created_at ?? "") || 0,
      mtime: this.#time(uri, file, text),
      size: new TextEncoder().encode(text).length,
      ...(locked ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const file = fileRefOf(uri);
    const { tree } = await this.#snapshot(uri, file);
    if (!this.#isFolder(uri, file, tree)) throw vscode.FileSystemError.FileNotFound(uri);
    const prefix = file.path === "" ? "" : `${file.path}/`;
    const entries = new Map<string, vscode.FileType>();
    for (const path of tree.keys()) {
      if (!path.startsWith(prefix)) continue;
      const [name = "", ...below] = path.slice(prefix.length).split("/");
      entries.set(name, below.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    const own = `${uri.toString()}/`;
    for (const folder of this.#emptyFolders) {
      if (!folder.startsWith(own)) continue;
      entries.set(
        decodeURIComponent(folder.slice(own.length).split("/")[0] ?? ""),
        vscode.FileType.Directory,
      );
    }
    return [...entries];
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const file = fileRefOf(uri);
    const text = this.#text(file, await this.#snapshot(uri, file));
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (!file.theirs) this.#bases.setSeen(uri, text);
    return new TextEncoder().encode(text);
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    { create, overwrite, isUnasked = false }: WriteOptions,
  ): Promise<void> {
    const file = fileRefOf(uri);
    const text = new TextDecoder().decode(content);
    this.#refuse(file, text);
    await this.#change(uri, { file, verb: "Save", isUnasked }, (now) => {
      const theirs = this.#text(file, now);
      if (theirs === undefined && !create) throw vscode.FileSystemError.FileNotFound(uri);
      if (theirs !== undefined && create && !overwrite) throw vscode.FileSystemError.FileExists(uri);
      if (theirs === text) return undefined;
      if (theirs !== undefined && !this.#bases.isSeen(uri, theirs)) throw this.#conflict(uri, file);
      return updateOf(now.tree, withoutClash(new Map(now.tree).set(file.path, text)));
    });
    if (file.path === "agent.json") this.#typedSettings.set(agentKey(file), text);
    this.#bases.setSeen(uri, text);
    for (const folder of this.#emptyFolders) {
      if (uri.toString().startsWith(`${folder}/`)) this.#emptyFolders.delete(folder);
    }
  }

  createDirectory(uri: vscode.Uri): void {
    const { path } = fileRefOf(uri);
    const problem = pathProblem(path);
    if (problem !== undefined) throw vscode.FileSystemError.NoPermissions(`${path}: ${problem}.`);
    this.#emptyFolders.add(uri.toString());
    this.#changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
  }

  async delete(uri: vscode.Uri): Promise<void> {
    const file = fileRefOf(uri);
    if (file.path === "" || file.path === "agent.json") {
      throw vscode.FileSystemError.NoPermissions(
        "An agent always has its settings. Delete the agent instead.",
      );
    }
    this.#emptyFolders.delete(uri.toString());
    await this.#change(uri, { file, verb: "Delete" }, ({ tree }) => updateOf(tree, without(tree, file.path)));
  }

  async rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    const [old, fresh] = [fileRefOf(from), fileRefOf(to)];
    if (old.path === "" || old.path === "agent.json" || fresh.path === "agent.json") {
      throw vscode.FileSystemError.NoPermissions("The settings of an agent are always in agent.json.");
    }
    if (this.#emptyFolders.delete(from.toString())) this.#emptyFolders.add(to.toString());
    await this.#change(from, { file: old, verb: "Rename" }, ({ tree }) => {
      const after = new Map(without(tree, old.path));
      for (const [path, text] of tree) {
        if (path !== old.path && !path.startsWith(`${old.path}/`)) continue;
        const moved = fresh.path + path.slice(old.path.length);
        this.#refuse({ ...fresh, path: moved }, text);
        after.set(moved, text);
      }
      return updateOf(tree, withoutClash(after));
    });
  }

  /** From now on the platform's version counts as seen: the next save writes over it. */
  async accept(uri: vscode.Uri): Promise<string> {
    const file = fileRefOf(uri);
    const text = this.#text(file, await this.#asked(uri, this.#store.fetch(file))) ?? "";
    this.#bases.setAccepted(uri, text);
    return text;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #snapshot(uri: vscode.Uri, file: AgentFileRef): Promise<AgentSnapshot> {
    return this.#asked(uri, this.#store.get(file));
  }

  async #change(
    uri: vscode.Uri,
    write: Pick<FileWrite, "file" | "verb" | "isUnasked">,
    change: (now: AgentSnapshot) => AgentUpdate | undefined,
  ): Promise<void> {
    const { file } = write;
    const changes = async (): Promise<string | undefined> => {
      const now = await this.#store.fetch(file);
      return Object.keys(change(now) ?? {}).length === 0 ? undefined : now.agent.name;
    };
    const work = async (): Promise<void> => {
      await this.#store.change(file, change);
    };
    await this.#asked(uri, guardedWrite(this.#connections, { ...write, changes }, work));
  }

  /** Failures in the editor's own terms, with what to do about them. */
  async #asked<T>(uri: vscode.Uri, asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      if (isGone(error)) throw vscode.FileSystemError.FileNotFound(uri);
      const isForbidden = error instanceof ApiError && error.permission !== undefined;
      const text = adviceText(adviceFor(error));
      throw isForbidden
        ? vscode.FileSystemError.NoPermissions(text)
        : vscode.FileSystemError.Unavailable(text);
    }
  }

  #text({ path, ...ref }: AgentFileRef, { tree }: AgentSnapshot): string | undefined {
    const text = tree.get(path);
    if (path !== "agent.json" || text === undefined || ref.theirs) return text;
    const typed = this.#typedSettings.get(agentKey(ref));
    return typed !== undefined && Object.keys(settingsChange(text, typed)).length === 0 ? typed : text;
  }

  /** While a document is unsaved its time stands still, so that the save comes here and is compared as a whole. */
  #time(uri: vscode.Uri, { theirs }: AgentFileRef, text: string): number {
    if (theirs) return 0;
    const open = vscode.workspace.textDocuments.find(
      (document) => document.uri.toString() === uri.toString(),
    );
    const seen = open?.isDirty === true ? this.#bases.timeSeen(uri) : undefined;
    return seen ?? this.#bases.timeOf(uri, text);
  }

  #isFolder(uri: vscode.Uri, { path }: AgentFileRef, tree: AgentTree): boolean {
    const own = uri.toString();
    const hasEmpty = [...this.#emptyFolders].some((folder) => folder === own || folder.startsWith(`${own}/`));
    return path === "" || hasEmpty || [...tree.keys()].some((file) => file.startsWith(`${path}/`));
  }

  #refuse(file: AgentFileRef, text: string): void {
    const { path, agentId, theirs } = file;
    const unsafe = pathProblem(path);
    if (theirs || unsafe !== undefined) {
      throw vscode.FileSystemError.NoPermissions(`${path} can't be written: ${unsafe ?? "it is read-only"}.`);
    }
    const [problem] = problemsOfFile(path, text);
    if (problem !== undefined) {
      const line = text.slice(0, problem.start).split("\n").length;
      throw vscode.FileSystemError.Unavailable(`Line ${String(line)}: ${problem.message}`);
    }
    const named = path === "agent.json" ? agentIdIn(text) : undefined;
    if (named !== undefined && named !== agentId) {
      throw vscode.FileSystemError.Unavailable(`The agent_id can't be changed: this is ${agentId}.`);
    }
  }

  #conflict(uri: vscode.Uri, file: AgentFileRef): vscode.FileSystemError {
    this.#conflicted.fire({ uri, file });
    const name = file.path.split("/").at(-1) ?? file.path;
    return vscode.FileSystemError.Unavailable(
      `${name} was changed on the platform since you opened it. What you typed is still here: compare the two, ` +
        "then choose “Overwrite with Yours” or “Use Theirs” above them.",
    );
  }

  #filesChanged(ref: AgentRef, before: AgentTree, after: AgentTree): void {
    const { Changed, Created, Deleted } = vscode.FileChangeType;
    const types = { added: Created, changed: Changed, deleted: Deleted };
    const changes = differences(before, after);
    const events = (changes.length === 0 ? [] : foldersInUse(ref)).flatMap((folder) =>
      changes.map(({ path, kind }) => ({ type: types[kind], uri: vscode.Uri.joinPath(folder, path) })),
    );
    if (events.length > 0) this.#changed.fire(events);
  }
}

function fileRefOf(uri: vscode.Uri): AgentFileRef {
  const file = agentFileOf(uri);
  if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return file;
}

/** Throws where two files would be one on some disks: only one of them could be seen then. */
function withoutClash(tree: AgentTree): AgentTree {
  const clash = clashAmong(tree.keys());
  if (clash === undefined) return tree;
  throw vscode.FileSystemError.NoPermissions(`${clash.path} can't be written: ${clash.why}.`);
}

function without(tree: AgentTree, path: string): AgentTree {
  return new Map([...tree].filter(([file]) => file !== path && !file.startsWith(`${path}/`)));
}
