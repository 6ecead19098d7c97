/**
 * Addresses of agents' files: `agent-operations-agent://<connection>+<agent>/<platform's name>/<agent's name>/<path>`.
 * The ids say whose file it is; the names are there to be read, and may be those that it had once: an agent that was
 * renamed keeps the folder under which it is open.
 */

import * as vscode from "vscode";
import { AGENT_SCHEME } from "../../kit/ids.ts";
import type { Platforms } from "../../connections/platforms.ts";

/** One managed agent of one platform. */
export interface AgentRef {
  readonly connectionId: string;
  readonly agentId: string;
}

/** One text for one agent. */
export function agentKey({ connectionId, agentId }: AgentRef): string {
  return `${connectionId} ${agentId}`;
}

/** What an agent and its platform are called. */
export interface AgentNames {
  readonly platform: string;
  readonly agent: string;
}

/** A file or folder of an agent; the path "" is the agent's own folder. */
export interface AgentFileRef extends AgentRef {
  readonly path: string;
  /** The version on the platform, read-only, beside the one that is edited. */
  readonly theirs: boolean;
}

const theirs = "theirs";

/** The folder of an agent's files. */
export function agentFolderUri({ connectionId, agentId }: AgentRef, names: AgentNames): vscode.Uri {
  return vscode.Uri.from({
    scheme: AGENT_SCHEME,
    authority: `${encoded(connectionId)}+${encoded(agentId)}`,
    path: `/${segmentOf(names.platform, connectionId)}/${segmentOf(names.agent, agentId)}`,
  });
}

/** The platform's version of a file, for comparing. */
export function theirUri(uri: vscode.Uri): vscode.Uri {
  return uri.with({ query: theirs });
}

/** The folder of an agent's files: the one that a person sees, so that no file is open twice, else one by its names. */
export function shownFolder(
  platforms: Pick<Platforms, "list">,
  agent: AgentRef & { readonly name: string },
): vscode.Uri {
  const [shown] = foldersOf(agent, [...workspaceFolders(), ...tabs()]);
  if (shown !== undefined) return shown;
  const platform = platforms.list().find(({ id }) => id === agent.connectionId)?.name ?? "";
  return agentFolderUri(agent, { platform, agent: agent.name });
}

/** Every folder under which the editor has files of the agent, also files that nobody sees any more. */
export function foldersInUse(ref: AgentRef): readonly vscode.Uri[] {
  const documents = vscode.workspace.textDocuments.map(({ uri }) => uri);
  return foldersOf(ref, [...workspaceFolders(), ...tabs(), ...documents]);
}

/** Undefined for an address that is no agent's. */
export function agentFileOf({ scheme, authority, path, query }: vscode.Uri): AgentFileRef | undefined {
  const [, first = "", second = "", rest = ""] = inFolder.exec(path) ?? [];
  if (scheme !== AGENT_SCHEME || second === "") return undefined;
  // Earlier versions had the ids where the names are now; editors and workspaces remember such addresses.
  const [connectionId = "", agentId = ""] =
    authority === "" ? [first, second].map(decodeURIComponent) : authority.split("+").map(decoded);
  if (connectionId === "" || agentId === "") return undefined;
  return { connectionId, agentId, path: rest, theirs: query === theirs };
}

/** The folder of the agent whose file or folder this is. */
function folderUriOf(uri: vscode.Uri): vscode.Uri {
  const [, first = "", second = ""] = inFolder.exec(uri.path) ?? [];
  return uri.with({ path: `/${first}/${second}`, query: "" });
}

const inFolder = /^\/([^/]+)\/([^/]+)(?:\/(.*?))?\/?$/;

/** An authority has no upper case: whatever is neither digit, dash nor small letter is written by its number. */
function encoded(id: string): string {
  return id.replace(/[^a-z0-9-]/g, (letter) => `.${letter.charCodeAt(0).toString(16)}.`);
}

function decoded(text: string): string {
  return text.replace(/\.([0-9a-f]+)\./g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** A name as one segment of a path. */
function segmentOf(name: string, id: string): string {
  const segment = name.replace(/[\p{Cc}/\\]+/gu, " ").trim();
  return /^\.*$/.test(segment) ? encoded(id) : segment;
}

function foldersOf(ref: AgentRef, uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const folders = uris
    .filter((uri) => {
      const file = agentFileOf(uri);
      return file !== undefined && agentKey(file) === agentKey(ref);
    })
    .map((uri) => folderUriOf(uri));
  return [...new Map(folders.map((folder) => [folder.toString(), folder])).values()];
}

function workspaceFolders(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

/** The tabs of an earlier session, too, which have no document before they are looked at. */
function tabs(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input }) => {
      if (input instanceof vscode.TabInputText) return [input.uri];
      return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
    });
}
