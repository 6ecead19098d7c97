/** What the run panel's page hands over to the editor: a text as a document, a picture, a graph's drawing or an input as a file, a link. */

import * as vscode from "vscode";
import type { GraphFormat } from "../../run/panel/messages.ts";
import { pictureAt } from "../../run/json/pictures.ts";
import { freeUri } from "../deployments/drafts/newDraft.ts";
import { fileExists } from "../kit/workspaceFiles.ts";
import { INPUT_SUFFIX } from "../kit/ids.ts";
import { confirm, showInformation } from "../kit/notice.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { maskedCredential, ownerName, type SavedInput, savedText } from "../threads/inputs/savedInput.ts";

/** File systems refuse much longer names. */
const longestName = 100;

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

const formats: Readonly<Record<GraphFormat, string>> = { svg: "SVG pictures", mmd: "Mermaid flowcharts" };

/** Saves the drawing of a graph where the person says, and opens it there. */
export async function saveGraph(name: string, format: GraphFormat, text: string): Promise<void> {
  const file = await vscode.window.showSaveDialog({
    title: "Save Graph",
    saveLabel: "Save Graph",
    filters: { [formats[format]]: [format] },
    defaultUri: await freeUri(name.slice(0, longestName), `.${format}`),
  });
  if (file === undefined) return;
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
  await vscode.commands.executeCommand("vscode.open", file, vscode.ViewColumn.Beside);
}

/** Saves an input where the person says, without its credentials, and tells where it is. */
export async function saveInput(saved: SavedInput): Promise<void> {
  const content = savedText(saved);
  if (content === undefined)
    throw new NotPossibleError(
      "This input holds credentials that can't be told from the rest.",
      "Take them out, and save it then.",
    );
  const chosen = await vscode.window.showSaveDialog({
    title: "Save Input",
    saveLabel: "Save Input",
    // Some dialogs know only the last part of a name, and would add the rest once more.
    filters: { "Saved inputs": ["json"] },
    defaultUri: await freeUri(ownerName(saved), INPUT_SUFFIX),
  });
  if (chosen === undefined) return;
  const file = named(chosen);
  if (file !== chosen && (await fileExists(file)))
    await confirm(`Replace ${nameOf(file)}?`, "There is such a file already.", "Replace");
  await vscode.workspace.fs.writeFile(file, Buffer.from(content.text));
  const masked = content.isMasked ? ` A credential in it is masked as ${maskedCredential}.` : "";
  const open = "Open File";
  void showInformation(`The input is saved in ${nameOf(file)}.${masked}`, open).then((pressed) => {
    if (pressed === open) void vscode.window.showTextDocument(file, { preview: false });
  });
}

/** The editor knows such files by how their names end. */
function named(file: vscode.Uri): vscode.Uri {
  if (file.path.endsWith(INPUT_SUFFIX)) return file;
  return file.with({ path: file.path.replace(/(\.agentinput)?(\.json)?$/, INPUT_SUFFIX) });
}

function nameOf(file: vscode.Uri): string {
  return vscode.workspace.asRelativePath(file);
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

/** Agents write links: only web addresses are opened, and the editor asks about hosts that it doesn't trust. */
export async function openExternal(text: string): Promise<void> {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return;
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
