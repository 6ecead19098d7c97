/** The report of work on many things as a read-only document, which follows what goes on. */

import * as vscode from "vscode";
import type { BulkChanges } from "../bulk/bulkChanges.ts";
import { reportText } from "../bulk/bulkJob.ts";
import type { Connections } from "../connections/connections.ts";
import { SCHEME } from "../kit/ids.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { visible } from "../kit/words.ts";
import type { DocumentKind } from "./router.ts";

interface Needs {
  readonly bulkChanges: BulkChanges;
  readonly connections: Connections;
}

/** A job of a thousand things has many steps in a second. */
const drawnEveryMs = 300;
const gone = "This report is not kept any more.";

/** One document for each job. */
export class BulkReports implements DocumentKind {
  readonly #needs: Needs;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  /** Reports that changed and are soon drawn again. */
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#subscription = needs.bulkChanges.onDidChange((id) => {
      if (this.#waiting.has(id)) return;
      const draw = (): void => {
        this.#waiting.delete(id);
        for (const { uri } of vscode.workspace.textDocuments) if (idOf(uri) === id) this.#changed.fire(uri);
      };
      this.#waiting.set(id, setTimeout(draw, drawnEveryMs));
    });
  }

  async text(uri: vscode.Uri): Promise<string> {
    const { bulkChanges, connections } = this.#needs;
    const job = await bulkChanges.read(idOf(uri) ?? "");
    return job === undefined ? `${gone}\n` : visible(reportText(job, (id) => connections.get(id)?.name));
  }

  async show(id: string): Promise<void> {
    const job = await this.#needs.bulkChanges.read(id);
    if (job === undefined) throw new NotPossibleError(gone, "Only the newest reports are kept.");
    const name = job.title.replace(/[\\/]/g, "-");
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/bulk/${id}/${name}.txt` });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#changed.dispose();
  }
}

function idOf({ scheme, path }: vscode.Uri): string | undefined {
  return scheme === SCHEME ? /^\/bulk\/([^/]+)\//.exec(path)?.[1] : undefined;
}
