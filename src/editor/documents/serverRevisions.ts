/** What revisions were made of, as documents: two of them are compared in the editor's own comparison. */

import * as vscode from "vscode";
import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import type { Revision } from "../../api/controlPlane/wire.ts";
import type { RevisionRef } from "../connections/connection.ts";
import { draftText } from "../deployments/drafts/draftText.ts";
import { SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import type { DocumentKind } from "./router.ts";

/** A revision to show, and what tells it from the others. */
export interface ShownRevision extends RevisionRef {
  readonly label: string;
}

/** What differs in any two of them and tells nothing of what they were made of. */
const own: ReadonlySet<string> = new Set(["id", "status", "created_at", "updated_at"]);
const revisionPath = /^\/([^/]+)\/deployments\/([^/]+)\/revisions\/([^/]+)\/[^/]+\.json$/;

/** The documents of revisions; a revision never changes what it was made of. */
export class ServerRevisions implements DocumentKind {
  readonly #services: Pick<Services, "platforms">;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(services: Pick<Services, "platforms">) {
    this.#services = services;
  }

  /** Compares two revisions of the deployment with this name, the older one on the left. */
  async compare(name: string, older: ShownRevision, newer: ShownRevision): Promise<void> {
    const title = `${name}: ${older.label} ↔ ${newer.label}`;
    const [left, right] = [older, newer].map((revision) => uriOf(name, revision));
    await vscode.commands.executeCommand("vscode.diff", left, right, title, { preview: false });
  }

  async text({ path }: vscode.Uri): Promise<string> {
    const [connectionId = "", deploymentId = "", revisionId = ""] = (revisionPath.exec(path) ?? [])
      .slice(1)
      .map(decodeURIComponent);
    const { revisions } = await this.#services.platforms.controlPlane(connectionId);
    return draftText(madeOf(await revisions.get(deploymentId, revisionId)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function madeOf(revision: Revision): JsonObject {
  const members: readonly (readonly [string, Json])[] = Object.entries(revision);
  return Object.fromEntries(members.filter(([name]) => !own.has(name)));
}

function uriOf(name: string, { connectionId, deploymentId, revisionId, label }: ShownRevision): vscode.Uri {
  const [connection, deployment, revision] = [connectionId, deploymentId, revisionId].map(encodeURIComponent);
  const file = `${name} ${label}.json`.replace(/[\\/]/g, "-");
  const path = `/${connection}/deployments/${deployment}/revisions/${revision}/${file}`;
  return vscode.Uri.from({ scheme: SCHEME, path });
}
