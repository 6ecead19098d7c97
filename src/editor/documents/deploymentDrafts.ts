/** The drafts of deployments as documents: opened from a text, with what can be done with them above it. */

import * as vscode from "vscode";
import { isObject } from "../../run/json/json.ts";
import { deploymentIdOf, isDraft } from "../deployments/drafts/deploymentDraft.ts";
import { DraftDiagnostics } from "../deployments/drafts/draftDiagnostics.ts";
import { DraftMemory, keepUnsavedDrafts } from "../deployments/drafts/draftMemory.ts";
import { parseDraft, withId } from "../deployments/drafts/parsedDraft.ts";
import { newDraft } from "../deployments/drafts/newDraft.ts";
import { DRAFT_SUFFIX, SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";

/** Opens drafts, and keeps their marks, their platforms and their unsaved texts. */
export class DeploymentDrafts implements vscode.Disposable {
  readonly diagnostics = new DraftDiagnostics();
  readonly memory: DraftMemory;
  readonly #services: Services;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    this.memory = new DraftMemory(services.context.workspaceState);
    this.#subscriptions = vscode.Disposable.from(
      this.diagnostics,
      keepUnsavedDrafts(this.memory),
      vscode.languages.registerCodeLensProvider(
        { pattern: `**/*${DRAFT_SUFFIX}` },
        { provideCodeLenses: (document) => this.#lenses(document) },
      ),
    );
  }

  /** The draft in front; undefined when another document is. */
  get active(): vscode.TextDocument | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document !== undefined && isOwn(document) ? document : undefined;
  }

  /** A new document with this text, not saved yet; on the platform that it was made for. */
  async open(name: string, text: string, connectionId?: string): Promise<vscode.TextDocument> {
    const document = await newDraft(name, DRAFT_SUFFIX, text);
    if (connectionId !== undefined) await this.memory.remember(document.uri, { connectionId });
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** Writes down which deployment was made of the draft: what is sent next changes that one. */
  async setId(document: vscode.TextDocument, id: string): Promise<void> {
    const edit = withId(document.getText(), id);
    if (edit === undefined) return;
    const { offset, length } = edit.span;
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    const changes = new vscode.WorkspaceEdit();
    changes.replace(document.uri, range, edit.content);
    await vscode.workspace.applyEdit(changes);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isOwn(document)) return [];
    const parsed = parseDraft(document.getText());
    const id = parsed.kind === "json" && isObject(parsed.value) ? deploymentIdOf(parsed.value) : undefined;
    const known = this.memory.connectionOf(document.uri);
    const platform = known === undefined ? undefined : this.#services.connections.get(known)?.name;
    const on = platform === undefined ? "" : ` on ${platform}`;
    const verb = id === undefined ? "Create" : "Update";
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title: `$(cloud-upload) ${verb} Deployment${on}…`,
        command: "agentOperations.deployment.send",
        arguments: [document.uri],
      }),
    ];
  }
}

function isOwn({ uri }: vscode.TextDocument): boolean {
  return uri.scheme !== SCHEME && isDraft(uri.path);
}
