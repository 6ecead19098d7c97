/** Where a person sees a platform in a browser; no vscode in here. */

import type { Connection } from "../connections/connection.ts";

/** The page of a deployment; the Local Platform has one page for everything. */
export function deploymentPage(
  connection: Connection,
  deployment: { readonly id: string; readonly tenant_id?: string | null },
): string {
  if (connection.kind === "localPlatform") return connection.url;
  const workspace = deployment.tenant_id ?? connection.workspaceId ?? "-";
  const path = ["o", workspace, "host", "deployments", deployment.id].map(encodeURIComponent).join("/");
  return `${consoleUrl(connection)}/${path}`;
}

/** The console's address: as the settings say, else made from the main address, whose host or path says "api". */
export function consoleUrl({ consoleUrl: said, url }: Pick<Connection, "consoleUrl" | "url">): string {
  if (said !== undefined) return said;
  const { protocol, host } = new URL(url);
  const labels = host.split(".");
  // `api.example.com` and `eu.api.example.com` are the interfaces of `example.com` and `eu.example.com`.
  const known = labels.length > 2 ? labels.filter((label, index) => label !== "api" || index > 1) : labels;
  return `${protocol}//${known.join(".")}`;
}
