/** The outcome of Test Connection as a read-only text document. */

import * as vscode from "vscode";
import type { ProbeStep } from "../../api/probe/index.ts";
import type { Connection } from "../connections/connection.ts";
import { SCHEME } from "../kit/ids.ts";
import type { DocumentKind } from "./router.ts";

/** What Test Connection found out. */
export interface ConnectionTest {
  /** The connection's kind in words. */
  readonly kind: string;
  readonly steps: readonly ProbeStep[];
  /** False when the person cancelled it. */
  readonly complete: boolean;
}

/** The folder of the scheme in which these documents are. */
const REPORT_FOLDER = "/connection-test/";

/** Keeps the last report of each connection until the window is reloaded. */
export class ConnectionReports implements DocumentKind {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  text(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.path) ??
      "This test was made before the window was reloaded. Test the connection again.\n"
    );
  }

  /** Shows the report, replacing the connection's earlier one. */
  async show(connection: Connection, test: ConnectionTest): Promise<void> {
    const name = connection.name.replace(/[\\/]/g, "-");
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `${REPORT_FOLDER}${connection.id}/Test of ${name}.txt`,
    });
    this.#texts.set(uri.path, reportText(connection, test, new Date()));
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Aligned lines, one for each step; holds addresses and what servers said, but nothing that authorizes. */
export function reportText(
  connection: Connection,
  { kind, steps, complete }: ConnectionTest,
  at: Date,
): string {
  const count = (outcome: ProbeStep["outcome"]): number =>
    steps.filter((step) => step.outcome === outcome).length;
  const failed = count("failed");
  const verdict = !complete
    ? "cancelled before the end"
    : failed === 0
      ? "works"
      : `${String(failed)} failed`;
  const width = Math.max(0, ...steps.map(({ name }) => name.length));
  const lines = steps.map(({ outcome, name, detail, ms }) => {
    const took = ms === 0 ? "" : `${String(Math.round(ms))} ms`;
    const start = `${MARKS[outcome]} ${name.padEnd(width)}  ${took.padStart(7)}  `;
    return start + wrapped(detail, mostColumns - start.length).join(`\n${" ".repeat(start.length)}`);
  });
  return [
    `Connection  ${connection.name}`,
    `Kind        ${kind}`,
    `Address     ${connection.url}`,
    `Tested      ${at.toISOString()}`,
    `Result      ${verdict}`,
    "",
    ...lines,
    "",
  ].join("\n");
}

/** How many characters of a line are seen beside the side bar. */
const mostColumns = 100;

/** Lines of whole words, none longer than that unless a word is. */
function wrapped(text: string, columns: number): readonly string[] {
  return text.split(" ").reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    return last === undefined || longer.length > columns ? [...lines, word] : [...lines.slice(0, -1), longer];
  }, []);
}

const MARKS: Readonly<Record<ProbeStep["outcome"], string>> = { ok: "✓", failed: "✗", skipped: "–" };
