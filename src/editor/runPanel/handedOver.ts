/** What an agent said, handed over from the run panel's page to the editor: a text as a document, a picture as a file. */

import * as vscode from "vscode";
import { pictureAt } from "../../run/json/pictures.ts";

/** Saves a picture where the person says, and opens it there; anything else than a picture is not written. */
export async function savePicture(data: string): Promise<void> {
  const reading = pictureAt(`data:image/any;base64,${data}`);
  if (reading === undefined || "refused" in reading)
    throw new Error(reading?.refused ?? "This is no picture.");
  const extension = reading.picture.type.slice("image/".length).replace("jpeg", "jpg");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: "Save Picture",
    filters: { Pictures: [extension] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, `picture.${extension}`) }),
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, Buffer.from(data, "base64"));
  await vscode.commands.executeCommand("vscode.open", file);
}

/** The editor's ids of languages that people name in another way. */
const languageIds = new Map(
  Object.entries({
    bash: "shellscript",
    "c#": "csharp",
    "c++": "cpp",
    cs: "csharp",
    docker: "dockerfile",
    golang: "go",
    js: "javascript",
    jsx: "javascriptreact",
    md: "markdown",
    ps1: "powershell",
    py: "python",
    rb: "ruby",
    rs: "rust",
    sh: "shellscript",
    shell: "shellscript",
    ts: "typescript",
    tsx: "typescriptreact",
    yml: "yaml",
    zsh: "shellscript",
  }),
);

/** Opens a text as a file that is not saved yet, in a language that the editor knows, else as plain text. */
export async function openText(content: string, name: string): Promise<void> {
  const wanted = languageIds.get(name.toLowerCase()) ?? name.toLowerCase();
  const known = await vscode.languages.getLanguages();
  const language = known.includes(wanted) ? wanted : "plaintext";
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}
