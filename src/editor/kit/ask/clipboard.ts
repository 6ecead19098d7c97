import * as vscode from "vscode";
import { showStatus } from "../notice.ts";
import { capitalized, counted } from "../words.ts";

/** Puts texts on the clipboard, one per line, and says so: "Thread ID copied", "3 thread IDs copied". */
export async function copyLines(lines: readonly string[], noun: string): Promise<void> {
  if (lines.length === 0) return;
  await vscode.env.clipboard.writeText(lines.join("\n"));
  const what = lines.length === 1 ? capitalized(noun) : counted(lines.length, noun);
  showStatus(`${what} copied`, 3000);
}
