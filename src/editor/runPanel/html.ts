/** The run panel's page, and how a panel is found again that the editor brings back. */

import type * as vscode from "vscode";
import { pageHtml } from "../kit/webviewPage.ts";

/** The HTML of one panel's page. */
export function runPanelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, panelId: string): string {
  return pageHtml(webview, extensionUri, {
    title: "Run",
    styleSheet: "runPanel.css",
    script: "webview.js",
    worker: true,
    pictures: true,
    prelude: rememberPanel(panelId),
  });
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
