/** Where in the editor agents' files are: an agent that was renamed keeps the folder under which it is open. */

import * as vscode from "vscode";
import type { Platforms } from "../../connections/platforms.ts";
import { agentFolderUri, agentPlaceOf, folderUriOf } from "./agentUri.ts";
import type { AgentRef } from "./agentUri.ts";

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

function foldersOf({ connectionId, agentId }: AgentRef, uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const folders = uris
    .filter((uri) => {
      const place = agentPlaceOf(uri);
      return place?.connectionId === connectionId && place.agentId === agentId;
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
