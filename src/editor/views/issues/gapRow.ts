/** The row that tells of a time in which nobody listened, until a person has read it. */

import * as vscode from "vscode";
import { gapWords } from "../../issues/listeningGap.ts";
import type { ListeningGap } from "../../issues/listeningGap.ts";
import type { RowModel } from "./issueRow.ts";

/** The row of one such time; `now` tells which times are of another day. */
export function gapModel(gap: ListeningGap, now: Date): RowModel {
  const { id } = gap;
  const label = gapWords(gap, now);
  const description = "deliveries may be missing";
  return {
    id,
    label,
    description,
    icon: new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground")),
    context: "issueGap",
    target: { kind: "gap", gap: id },
    tooltip: `${label}\nNo window of this editor listened. What was sent meanwhile arrives if the platform still tries again; look there for issues of that time.\nMark it as read to take it away.`,
    spoken: `${label}, ${description}`,
  };
}
