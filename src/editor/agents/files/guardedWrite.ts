/** What a person is asked before a file of an agent on a protected connection is changed there. */

import * as vscode from "vscode";
import { act, confirmAct, strictnessOf } from "../../connections/guard.ts";
import type { Connections } from "../../connections/connections.ts";
import type { AgentFileRef } from "./agentUri.ts";

/** A change of one file, as it is asked about. */
export interface FileWrite {
  readonly file: AgentFileRef;
  /** "Save", "Delete" or "Rename". */
  readonly verb: string;
  /** Whether the editor does it unasked, as Auto Save does. */
  readonly isUnasked?: boolean;
  /** Whether it would change something, before anybody is asked: gives the agent's name then, and throws what keeps it from being done. */
  readonly changes: () => Promise<string | undefined>;
}

/** Does the work, on a protected connection after a question; throws a FileSystemError when a person does not want it. */
export async function guardedWrite(
  connections: Pick<Connections, "resolve">,
  { file, verb, isUnasked = false, changes }: FileWrite,
  work: () => Promise<void>,
): Promise<void> {
  await act(`${verb} ${file.path}`, async () => {
    const connection = connections.resolve(file.connectionId);
    const agent = strictnessOf(connection) === "nothing" ? undefined : await changes();
    if (agent !== undefined) {
      const isProtected = `“${connection.name}” is protected`;
      if (isUnasked)
        throw vscode.FileSystemError.NoPermissions(
          `${isProtected}: Auto Save leaves it to you. Save it yourself.`,
        );
      const question = `${verb} ${file.path} of “${agent}”?`;
      const detail = "The agent works by it from now on.";
      try {
        await confirmAct(connection, { name: agent, question, detail, verb, always: false });
      } catch (error) {
        if (!(error instanceof vscode.CancellationError)) throw error;
        throw vscode.FileSystemError.NoPermissions(
          `${isProtected}, and you did not agree. Nothing was sent.`,
        );
      }
    }
    await work();
  });
}
