/** Asking a person for a webhook delivery to look at: the file in front, another file, or the clipboard. */

import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { readSavedDelivery } from "../../../api/issueWebhooks/diagnosis.ts";
import type { SavedDelivery } from "../../../api/issueWebhooks/diagnosis.ts";
import { askChoice } from "../../kit/ask/questions.ts";

type Source = "editor" | "file" | "clipboard";

/** The delivery byte for byte, as far as its source keeps bytes; undefined when nobody chose. */
export async function chooseDelivery(title: string): Promise<SavedDelivery | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const inFront = {
    label: "The file in front",
    description: document?.fileName ?? "",
    value: "editor",
  } as const;
  const source = await askChoice<Source>(
    { title },
    [
      ...(document === undefined ? [] : [inFront]),
      { label: "A saved file…", detail: "A body, or a whole request with its headers", value: "file" },
      { label: "The clipboard", detail: "As pasted: line breaks may have been changed", value: "clipboard" },
    ],
    { placeholder: "Where is the delivery?" },
  );
  const bytes = await bytesOf(source, document);
  return bytes && readSavedDelivery(bytes);
}

async function bytesOf(
  source: Source,
  document: vscode.TextDocument | undefined,
): Promise<Uint8Array | undefined> {
  switch (source) {
    case "clipboard":
      return Buffer.from(await vscode.env.clipboard.readText());
    case "editor":
      // The file's own bytes: an editor may hold them with other line breaks.
      if (document?.uri.scheme === "file" && !document.isDirty) return readFile(document.uri.fsPath);
      return Buffer.from(document?.getText() ?? "");
    case "file": {
      const [file] = (await vscode.window.showOpenDialog({ openLabel: "Verify" })) ?? [];
      return file && vscode.workspace.fs.readFile(file);
    }
    default:
      return source satisfies never;
  }
}
