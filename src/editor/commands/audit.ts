/** Reading and taking away what was changed, by whom and where. */

import * as vscode from "vscode";
import type { AuditDocument } from "../documents/auditDocument.ts";
import type { CommandsOf } from "../kit/commands.ts";
import { showInformation } from "../kit/notice.ts";
import { counted } from "../kit/words.ts";
import type { Services } from "../services.ts";

/** The commands of the audit log. */
export function commands(
  { audit }: Services,
  { auditLog }: { readonly auditLog: AuditDocument },
): CommandsOf<"audit"> {
  return {
    "agentOperations.audit.open": async () => {
      if (await isEmpty(audit)) return;
      await auditLog.show();
    },
    "agentOperations.audit.export": async () => {
      if (await isEmpty(audit)) return;
      const target = await vscode.window.showSaveDialog({
        title: "Export Audit Log",
        saveLabel: "Export",
        filters: { "JSON Lines": ["jsonl"] },
        defaultUri: vscode.Uri.joinPath(
          vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/"),
          "audit-log.jsonl",
        ),
      });
      if (target === undefined) return;
      const text = await audit.text();
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
      const lines = counted(text.split("\n").length - 1, "change");
      void showInformation(`${lines} written to ${vscode.workspace.asRelativePath(target)}.`);
    },
  };
}

async function isEmpty(audit: Services["audit"]): Promise<boolean> {
  if ((await audit.text()) !== "") return false;
  void showInformation("Nothing was changed on any connection yet.");
  return true;
}
