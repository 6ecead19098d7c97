import { deepEqual, equal, rejects } from "node:assert/strict";
import * as vscode from "vscode";
import { openText, savePicture } from "../../src/editor/runPanel/handedOver.ts";

describe("What the run panel's page hands over to the editor", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  for (const [name, language] of [
    ["ts", "typescript"],
    ["Python", "python"],
    ["sh", "shellscript"],
    ["klingon", "plaintext"],
    ["", "plaintext"],
  ] as const)
    it(`opens code in ${name === "" ? "no language" : name} as ${language}, not saved yet`, async () => {
      await openText("let a", name);
      const document = vscode.window.activeTextEditor?.document;
      deepEqual([document?.getText(), document?.languageId, document?.isUntitled], ["let a", language, true]);
    });

  it("writes nothing that is no picture", async () => {
    await rejects(savePicture("PHN2Zy8+"), /is not PNG, JPEG, GIF or WebP/);
    equal(vscode.window.activeTextEditor, undefined);
  });
});
