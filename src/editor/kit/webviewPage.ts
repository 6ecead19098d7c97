/** The HTML of a page in a webview: which files it loads, and that it may load nothing else. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What a page is made of. */
export interface WebviewPage {
  readonly title: string;
  /** Below media/. */
  readonly styleSheet: string;
  /** Below dist/. */
  readonly script: string;
  /** Whether the page reads a program of ours and starts it as a worker. */
  readonly worker?: true;
  /** It shows pictures that came as data. */
  readonly pictures?: true;
  /** By it the page's panel is found again that the editor brings back after a reload of the window. */
  readonly panelId?: string;
}

/** Where pages have their files; nothing else of this machine can be read by them. */
export function pageRoots(extensionUri: vscode.Uri): readonly vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, "dist"), vscode.Uri.joinPath(extensionUri, "media")];
}

/** The page's HTML. What it shows is text: no remote content, no inline script but the nonce's. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: WebviewPage): string {
  const nonce = randomBytes(16).toString("base64");
  const file = (...path: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${page.pictures === true ? "data:" : "'none'"}`,
    // The address of one file would be ignored: it has a sign in its host that a policy does not take.
    ...(page.worker !== true ? [] : [`connect-src ${webview.cspSource}`, "worker-src blob:"]),
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  const { panelId } = page;
  const prelude =
    panelId === undefined ? "" : `<script nonce="${nonce}">${rememberPanel(panelId)}</script>\n`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link id="vscode-codicon-stylesheet" rel="stylesheet" href="${file("dist", "codicon.css")}">
<link rel="stylesheet" href="${file("media", page.styleSheet)}">
<title>${page.title}</title>
${prelude}</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${file("dist", page.script)}"></script>
</body>
</html>`;
}

/**
 * After a window reload the editor hands the host only what the page remembered, so the panel's id is put beside
 * whatever the page itself remembers. It never changes: a page that dies with its window may not have saved its last
 * state.
 */
function rememberPanel(id: string): string {
  return `{
const api = acquireVsCodeApi();
const setState = (state) => api.setState({ ...state, panel: ${JSON.stringify(id)} });
setState(api.getState());
globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => api.postMessage(message),
  getState: () => api.getState(),
  setState,
});
}`;
}

/** The id of the panel that a page remembered, or undefined when it remembered none. */
export function rememberedPanel(state: unknown): string | undefined {
  if (typeof state !== "object" || state === null || !("panel" in state)) return undefined;
  return typeof state.panel === "string" ? state.panel : undefined;
}
