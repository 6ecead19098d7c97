/** The run panel's page: which files it loads, and that it may load nothing else. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ThreadPlace } from "../sessions.ts";

/** Where the page's files are; nothing else of this machine can be read by it. */
export function pageRoots(extensionUri: vscode.Uri): readonly vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, "dist"), vscode.Uri.joinPath(extensionUri, "media")];
}

/** The page's HTML. What an agent says is text: no remote content, no inline script but the nonce's. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, place: ThreadPlace): string {
  const nonce = randomBytes(16).toString("base64");
  const file = (...path: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    // Rows of the transcript are placed by style attributes.
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    "img-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link id="vscode-codicon-stylesheet" rel="stylesheet" href="${file("dist", "codicon.css")}">
<link rel="stylesheet" href="${file("media", "runPanel.css")}">
<title>Run</title>
<script nonce="${nonce}">${rememberPlace(place)}</script>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${file("dist", "webview.js")}"></script>
</body>
</html>`;
}

/**
 * After a window reload the editor hands the host only what the page remembered, so the thread is put beside
 * whatever the page itself remembers. A thread that is made with its first run is told by the panel's state.
 */
function rememberPlace({ connectionId, serverId, threadId }: ThreadPlace): string {
  const literal = JSON.stringify({ connectionId, serverId, threadId }).replaceAll("<", "\\u003c");
  return `{
const api = acquireVsCodeApi();
let place = ${literal};
const setState = (state) => api.setState({ ...state, thread: place });
setState(api.getState());
addEventListener("message", ({ data }) => {
  const threadId = data?.state?.threadId;
  if (typeof threadId !== "string" || threadId === place.threadId) return;
  place = { ...place, threadId };
  setState(api.getState());
});
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => api.postMessage(message),
  getState: () => api.getState(),
  setState,
});
}`;
}

/** The place that a page remembered, or undefined when it can't be told. */
export function rememberedPlace(state: unknown): ThreadPlace | undefined {
  if (typeof state !== "object" || state === null || !("thread" in state)) return undefined;
  const { thread: place } = state;
  if (typeof place !== "object" || place === null) return undefined;
  const { connectionId, serverId, threadId } = place as Readonly<Record<string, unknown>>;
  if (typeof connectionId !== "string" || typeof serverId !== "string") return undefined;
  return { connectionId, serverId, ...(typeof threadId === "string" ? { threadId } : {}) };
}
