/** Addresses of agents' files: `agent-operations-agent:/<connection>/<agent>/<path>`, the first two percent-encoded. */

import * as vscode from "vscode";
import { AGENT_SCHEME } from "../ids.ts";

/** One managed agent of one platform. */
export interface AgentRef {
  readonly connectionId: string;
  readonly agentId: string;
}

/** A file or folder of an agent; the path "" is the agent's own folder. */
export interface AgentPlace extends AgentRef {
  readonly path: string;
  /** The version on the platform, read-only, beside the one that is edited. */
  readonly theirs: boolean;
}

const theirs = "theirs";

export function agentUri({ connectionId, agentId }: AgentRef, path = ""): vscode.Uri {
  const folder = `/${encodeURIComponent(connectionId)}/${encodeURIComponent(agentId)}`;
  return vscode.Uri.from({ scheme: AGENT_SCHEME, path: path === "" ? folder : `${folder}/${path}` });
}

/** The platform's version of a file, for comparing. */
export function theirUri(place: AgentPlace): vscode.Uri {
  return agentUri(place, place.path).with({ query: theirs });
}

/** Undefined for an address that is no agent's. */
export function agentPlaceOf({ scheme, path, query }: vscode.Uri): AgentPlace | undefined {
  const [, connection = "", agent = "", rest = ""] = /^\/([^/]+)\/([^/]+)(?:\/(.*?))?\/?$/.exec(path) ?? [];
  if (scheme !== AGENT_SCHEME || connection === "" || agent === "") return undefined;
  return {
    connectionId: decodeURIComponent(connection),
    agentId: decodeURIComponent(agent),
    path: rest,
    theirs: query === theirs,
  };
}
