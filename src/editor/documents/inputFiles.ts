/** Saved inputs as files of the workspace: found, read by their schema, and opened by what stands above them. */

import * as vscode from "vscode";
import type { Json } from "../../api/agentServer/wire.ts";
import type { CommandId } from "../kit/ids.ts";
import { INPUT_SUFFIX, SCHEME } from "../kit/ids.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import type { Services } from "../services.ts";
import { readSavedInput, type SavedInput } from "../threads/inputs/savedInput.ts";

const mostBytes = 20_000_000;
const mostListed = 200;

/** A file with a saved input; one that can't be read says why. */
export interface InputFile {
  readonly uri: vscode.Uri;
  readonly reading: { readonly saved: SavedInput } | { readonly problem: string };
}

/** The saved inputs that this window can see. */
export class InputFiles implements vscode.Disposable {
  readonly #schemaUri: vscode.Uri;
  readonly #lens: vscode.Disposable;
  #schema: Json | undefined;

  constructor({ context }: Pick<Services, "context">) {
    this.#schemaUri = vscode.Uri.joinPath(context.extensionUri, "media", "agentInput.schema.json");
    this.#lens = vscode.languages.registerCodeLensProvider(
      { pattern: `**/*${INPUT_SUFFIX}` },
      { provideCodeLenses: ({ uri }) => (uri.scheme === SCHEME ? [] : [lensOf(uri)]) },
    );
  }

  /** The file in front; undefined when something else is. */
  get active(): vscode.Uri | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri?.path.endsWith(INPUT_SUFFIX) === true && uri.scheme !== SCHEME ? uri : undefined;
  }

  /** Those of the workspace, by their names. */
  async list(): Promise<readonly InputFile[]> {
    const found = await vscode.workspace.findFiles(`**/*${INPUT_SUFFIX}`, "**/node_modules/**", mostListed);
    const files = found.toSorted((one, other) => one.path.localeCompare(other.path));
    return Promise.all(files.map(async (uri) => ({ uri, reading: await this.#read(uri) })));
  }

  /** What a file holds, as it stands in its editor; throws NotPossibleError for one that is no saved input. */
  async read(uri: vscode.Uri): Promise<SavedInput> {
    const reading = await this.#read(uri);
    if ("saved" in reading) return reading.saved;
    throw new NotPossibleError(
      `${vscode.workspace.asRelativePath(uri)} can't be used: ${reading.problem}`,
      "Correct the file, and open it again.",
    );
  }

  dispose(): void {
    this.#lens.dispose();
  }

  async #read(uri: vscode.Uri): Promise<InputFile["reading"]> {
    // A document that nobody changed may be older than its file.
    const changed = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === uri.toString(),
    );
    let text = changed?.getText();
    try {
      if (text === undefined) {
        const { size } = await vscode.workspace.fs.stat(uri);
        if (size > mostBytes) return { problem: "It is larger than 20 MB" };
        text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      }
    } catch {
      return { problem: "It can't be read" };
    }
    const schema = (this.#schema ??= JSON.parse(
      new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#schemaUri)),
    ) as Json);
    return readSavedInput(text, schema);
  }
}

function lensOf(uri: vscode.Uri): vscode.CodeLens {
  const command: CommandId = "agentOperations.input.open";
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
    title: "$(play) Open in Run Panel…",
    command,
    arguments: [uri],
  });
}
