/** Deleting threads: asked once, done in slices, and told once when some could not be deleted. */

import * as vscode from "vscode";
import { ApiError } from "../../../api/errors.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { VIEWS } from "../../kit/ids.ts";
import { showWarning } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { adviceFor } from "../../kit/remedies.ts";

const atOnce = 8;

/** Whether a person wants these threads gone. */
export async function confirmDelete(
  threads: readonly ThreadRef[],
  title: string | undefined,
): Promise<boolean> {
  const what =
    threads.length === 1
      ? `the thread “${title ?? threads[0]?.threadId ?? ""}”`
      : `${String(threads.length)} threads`;
  const detail = "Its messages and checkpoints are deleted on the server. This can't be undone.";
  const options = { modal: true, detail: threads.length === 1 ? detail : detail.replace("Its", "Their") };
  return (await showWarning(`Delete ${what}?`, options, "Delete")) === "Delete";
}

/** Deletes all it can; `onDeleted` is called for each slice. A thread that is gone already counts as deleted. */
export async function deleteThreads(
  threads: readonly ThreadRef[],
  services: Pick<Services, "threadHosts" | "report" | "log">,
  onDeleted: (threads: readonly ThreadRef[]) => void,
): Promise<void> {
  const failures: { readonly thread: ThreadRef; readonly error: unknown }[] = [];
  await vscode.window.withProgress({ location: { viewId: VIEWS.deployments } }, async () => {
    for (let start = 0; start < threads.length; start += atOnce) {
      const slice = threads.slice(start, start + atOnce);
      const results = await Promise.allSettled(slice.map((thread) => deleteThread(thread, services)));
      results.forEach((result, index) => {
        const thread = slice[index];
        if (result.status === "rejected" && thread !== undefined)
          failures.push({ thread, error: result.reason });
      });
      onDeleted(slice.filter((_, index) => results[index]?.status === "fulfilled"));
    }
  });
  const [first] = failures;
  if (first === undefined) return;
  for (const { thread, error } of failures) {
    services.log.warn(`Thread ${thread.threadId} was not deleted: ${adviceFor(error).message}`);
  }
  if (threads.length === 1) throw first.error;
  const doing = `${String(failures.length)} of ${String(threads.length)} threads were not deleted`;
  services.report.failure(doing, first.error, { connectionId: first.thread.connectionId });
}

async function deleteThread(
  thread: ThreadRef,
  { threadHosts }: Pick<Services, "threadHosts">,
): Promise<void> {
  try {
    await threadHosts.of(thread).delete(thread.threadId);
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === "notFound")) throw error;
  }
}
