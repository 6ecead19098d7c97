/** A tool's input schema as a read-only JSON document. */

import * as vscode from "vscode";
import type { Tool } from "../../api/managedAgents/toolServers.ts";
import { SCHEME } from "../kit/ids.ts";
import type { Services } from "../services.ts";
import type { ToolServerRef } from "../toolServers/authAttempts.ts";
import type { ToolRef } from "../toolServers/toolServers.ts";
import type { DocumentKind } from "./router.ts";

/** The folder of the scheme in which these documents are. */
const folder = "/tool-schemas/";

/** The schemas that were opened, and those that came back with the window. */
export class ToolSchemaDocuments implements DocumentKind {
  readonly #services: Pick<Services, "platforms">;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #texts = new Map<string, string>();

  constructor(services: Pick<Services, "platforms">) {
    this.#services = services;
  }

  /** Shows the schema as the tool was last listed with it. */
  async open(ref: ToolRef): Promise<void> {
    const uri = toolSchemaUri(ref, ref.tool.name);
    this.#texts.set(uri.path, schemaText(ref.tool));
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** After a reload of the window the tool server is asked again. */
  async text(uri: vscode.Uri): Promise<string> {
    const known = this.#texts.get(uri.path);
    if (known !== undefined) return known;
    const [connectionId = "", toolServerId = "", file = ""] = uri.path
      .slice(folder.length)
      .split("/")
      .map(decodeURIComponent);
    const { toolServers } = await this.#services.platforms.managedAgents(connectionId);
    const server = await toolServers.get(toolServerId);
    const providerId = server.oauth_provider_id ?? undefined;
    const { tools } = await toolServers.tools(server.url, { providerId });
    const tool = tools.find(({ name }) => `${name}.json` === file);
    return tool === undefined ? "// The tool server no longer offers this tool.\n" : schemaText(tool);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** `agent-operations:/tool-schemas/<connection>/<tool server>/<tool>.json`, each part percent-encoded. */
export function toolSchemaUri({ connectionId, toolServerId }: ToolServerRef, tool: string): vscode.Uri {
  const path = [connectionId, toolServerId, `${tool}.json`].map(encodeURIComponent).join("/");
  return vscode.Uri.from({ scheme: SCHEME, path: folder + path });
}

function schemaText({ inputSchema }: Tool): string {
  return `${JSON.stringify(inputSchema ?? {}, null, 2)}\n`;
}
