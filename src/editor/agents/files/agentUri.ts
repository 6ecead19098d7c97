/**
 * Addresses of agents' files: `agent-operations-agent://<connection>+<agent>/<platform's name>/<agent's name>/<path>`.
 * The ids say whose file it is; the names are there to be read, and may be those that it had once.
 */

import * as vscode from "vscode";
import { AGENT_SCHEME } from "../../kit/ids.ts";

/** One managed agent of one platform. */
export interface AgentRef {
  readonly connectionId: string;
  readonly agentId: string;
}

/** What an agent and its platform are called. */
export interface AgentNames {
  readonly platform: string;
  readonly agent: string;
}

/** A file or folder of an agent; the path "" is the agent's own folder. */
export interface AgentPlace extends AgentRef {
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

/** Undefined for an address that is no agent's. */
export function agentPlaceOf({ scheme, authority, path, query }: vscode.Uri): AgentPlace | undefined {
  const [, first = "", second = "", rest = ""] = inFolder.exec(path) ?? [];
  if (scheme !== AGENT_SCHEME || second === "") return undefined;
  // Earlier versions had the ids where the names are now; editors and workspaces remember such addresses.
  const [connectionId = "", agentId = ""] =
    authority === "" ? [first, second].map(decodeURIComponent) : authority.split("+").map(decoded);
  if (connectionId === "" || agentId === "") return undefined;
  return { connectionId, agentId, path: rest, theirs: query === theirs };
}

/** The folder of the agent whose file or folder this is. */
export function folderUriOf(uri: vscode.Uri): vscode.Uri {
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
