/** What a waiting thread asks, as a read-only document: one tab, which follows the selection in the Inbox. */

import * as vscode from "vscode";
import type { ThreadRef } from "../connections/connection.ts";
import { isProtected } from "../connections/mark.ts";
import { isSameThread, serverFromText, serverText } from "../connections/serverRef.ts";
import { agentOf } from "../inbox/arrangement.ts";
import { SCHEME } from "../kit/ids.ts";
import { dotted, localTime } from "../kit/words.ts";
import type { Services } from "../services.ts";
import type { WaitingThread } from "../threads/waitingThread.ts";
import type { DocumentKind } from "./router.ts";
import { fileName } from "./threadStateUri.ts";

/** The addresses of these documents. */
const waitingPaths = /^\/([^/]+)\/([^/]+)\/threads\/([^/]+)\/waiting\/[^/]+\.txt$/;

/** A longer line may go on beyond the edge of its tab. */
const longestInSight = 80;

/** Reads what the inbox found; nothing is asked for it. */
export class WaitingThreadDocuments implements DocumentKind {
  readonly #services: Pick<Services, "connections" | "inbox">;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(services: Pick<Services, "connections" | "inbox">) {
    this.#services = services;
    this.#subscription = services.inbox.onDidChange(() => {
      for (const { uri } of openTabs()) this.#changed.fire(uri);
    });
  }

  text(uri: vscode.Uri): string {
    const thread = threadIn(uri);
    const { inbox } = this.#services;
    // After a reload nothing is asked for a tab: the Inbox asks when it is seen.
    if (inbox.contents?.isListed !== true) return "Open the Inbox to see what this thread asks.\n";
    const waiting = thread && inbox.find(thread);
    if (thread === undefined || waiting === undefined) return "This thread does not wait for you any more.\n";
    const { title, connection, since, question } = waiting;
    const mark = isProtected(this.#services.connections.get(thread.connectionId)) ? " (protected)" : "";
    const unsent = inbox.unsent(thread);
    const facts = [
      `Connection  ${connection}${mark}`,
      `Agent       ${agentOf(waiting)}`,
      `Thread      ${title}`,
      `Waits since ${localTime(since)}`,
      ...(unsent === undefined ? [] : [`Not sent    ${unsent.reason}`]),
    ];
    return [...facts, "", question.details === "" ? question.label : question.details, ""].join("\n");
  }

  /** Shows it in the place of the one before; the keys stay in the Inbox. */
  async show(thread: ThreadRef): Promise<void> {
    const { connection = "", question } = this.#services.inbox.find(thread) ?? {};
    const uri = uriOf(thread, dotted([connection, question?.label ?? ""]));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    const others = openTabs().filter((tab) => tab.uri.toString() !== uri.toString());
    if (others.length > 0)
      await vscode.window.tabGroups.close(
        others.map(({ tab }) => tab),
        true,
      );
  }

  /** Whether a person has before them all that one thread asks, as it is known now: the whole of its preview. */
  isInSight([thread, ...others]: readonly WaitingThread[]): boolean {
    if (thread === undefined || others.length > 0) return false;
    return vscode.window.visibleTextEditors.some(({ document, visibleRanges: [seen] }) => {
      const { uri, lineCount } = document;
      if (uri.scheme !== SCHEME || !waitingPaths.test(uri.path)) return false;
      const shown = threadIn(uri);
      const text = document.getText();
      return (
        shown !== undefined &&
        isSameThread(shown, thread.ref) &&
        text === this.text(uri) &&
        text.split("\n").every(({ length }) => length <= longestInSight) &&
        seen?.start.line === 0 &&
        seen.end.line >= lineCount - 1
      );
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

/** `agent-operations:/<connection>/<server>/threads/<thread>/waiting/<name>.txt`; ids are percent-encoded. */
function uriOf({ connectionId, server, threadId }: ThreadRef, name: string): vscode.Uri {
  const ids = [connectionId, serverText(server)].map(encodeURIComponent).join("/");
  const path = `/${ids}/threads/${encodeURIComponent(threadId)}/waiting/${fileName(name)}.txt`;
  return vscode.Uri.from({ scheme: SCHEME, path });
}

function threadIn({ path }: vscode.Uri): ThreadRef | undefined {
  const [, connectionId, server, threadId] = (waitingPaths.exec(path) ?? []).map(decodeURIComponent);
  if (connectionId === undefined || server === undefined || threadId === undefined) return undefined;
  return { connectionId, server: serverFromText(server), threadId };
}

function openTabs(): readonly { readonly tab: vscode.Tab; readonly uri: vscode.Uri }[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap((tab) => {
      const { input } = tab;
      const isOne =
        input instanceof vscode.TabInputText &&
        input.uri.scheme === SCHEME &&
        waitingPaths.test(input.uri.path);
      return isOne ? [{ tab, uri: input.uri }] : [];
    }),
  );
}
