/** What the server has of a deployment, as the draft that would say it: the left side of a comparison. */

import * as vscode from "vscode";
import type { DeploymentRef } from "../connections/connection.ts";
import { draftOf } from "../deployments/drafts/deploymentDraft.ts";
import { draftText } from "../deployments/drafts/draftText.ts";
import { DRAFT_SUFFIX, SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import { closeTabs, showBelow } from "./lowerHalf.ts";
import type { DocumentKind } from "./router.ts";

const serverPath = /^\/([^/]+)\/deployments\/([^/]+)\/[^/]+\.deployment\.json$/;

/** The documents that stand on the left of comparisons. */
export class ServerDeployments implements DocumentKind {
  readonly #services: Pick<Services, "platforms">;
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(services: Pick<Services, "platforms">) {
    this.#services = services;
  }

  /**
   * Compares what the server has with a draft, in the editor's own comparison. It stands in the lower half: the question
   * whether to send lies over the upper one.
   */
  async compare(
    ref: DeploymentRef & { readonly name: string },
    text: string,
    draft: vscode.Uri,
  ): Promise<void> {
    const [connection, deployment] = [ref.connectionId, ref.deploymentId].map(encodeURIComponent);
    const file = ref.name.replace(/[\\/]/g, "-") + DRAFT_SUFFIX;
    const path = `/${connection}/deployments/${deployment}/${file}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    const title = `${ref.name}: server ↔ draft`;
    await this.closeComparison(draft);
    await showBelow(() =>
      vscode.commands.executeCommand("vscode.diff", uri, draft, title, { preview: false }),
    );
  }

  /** The lower half goes with it. */
  async closeComparison(draft: vscode.Uri): Promise<void> {
    await closeTabs(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.toString() === draft.toString(),
    );
  }

  /** Asked of the server where the comparison came back with the window. */
  async text({ path }: vscode.Uri): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const [connectionId = "", deploymentId = ""] = (serverPath.exec(path) ?? [])
      .slice(1)
      .map(decodeURIComponent);
    const { deployments } = await this.#services.platforms.controlPlane(connectionId);
    return draftText(draftOf(await deployments.get(deploymentId)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
