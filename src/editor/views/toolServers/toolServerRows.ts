/** The rows of the Tool Servers view: a platform's tool servers, and below each the tools that it offers. */

import * as vscode from "vscode";
import type { Tool } from "../../../api/managedAgents/toolServers.ts";
import type { CommandId } from "../../kit/ids.ts";
import type { AuthAttempts, ToolServerRef } from "../../toolServers/authAttempts.ts";
import { authIcon, type AuthState, authStateOf, authWords } from "../../toolServers/authState.ts";
import { annotationWords, toolTitle } from "../../toolServers/toolFacts.ts";
import type { ToolRef, ToolServerFacts, ToolServers } from "../../toolServers/toolServers.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";

/** A tool server's row. */
export type ToolServerNode = BranchNode<ToolServerFacts>;
/** A tool's row. */
export type ToolNode = BranchNode<ToolRef>;

/** What the rows work with. */
export interface ToolServerRowNeeds {
  readonly host: NodeHost;
  readonly authAttempts: Pick<AuthAttempts, "of">;
  readonly toolServers: Pick<ToolServers, "isPicked" | "tools">;
}

const loadTools: CommandId = "agentOperations.toolServer.loadTools";

/** The id of a tool server's row. */
export function toolServerNodeId({ connectionId, toolServerId }: ToolServerRef): string {
  return `toolServer:${connectionId}/${toolServerId}`;
}

/** A tool server's row; its state follows the attempts to connect. */
export function toolServerNode(
  ref: ToolServerFacts,
  parent: TreeNode,
  needs: ToolServerRowNeeds,
): ToolServerNode {
  const { server, grant } = ref;
  const attempt = () => needs.authAttempts.of(ref);
  const state = () => authStateOf(server, grant, attempt());
  const words = () => authWords(server, state(), attempt());
  return new BranchNode(
    {
      id: toolServerNodeId(ref),
      parent,
      ref,
      // The address is in the tooltip alone.
      snapshot: () => `${server.name}\n${server.url}\n${words()}\n${state()}`,
      row: () => ({
        label: server.name,
        description: words(),
        icon: authIcon(state()),
        contextValue: `toolServer ${server.auth_type === "oauth" ? "oauth" : "headers"} ${state()}`,
        spoken: `Tool server ${server.name}, ${words()}`,
      }),
      tooltip: () =>
        factsTooltip(server.name, {
          Address: server.url,
          "Sign-in": words(),
          Headers: server.headers?.map(({ key }) => key).join(", "),
          "OAuth provider": server.oauth_provider_id,
          Id: server.id,
          Changed: server.updated_at,
        }),
      refresh: loadTools,
      load: (self, signal) => below(ref, state(), self, needs, signal),
    },
    needs.host,
  );
}

async function below(
  ref: ToolServerFacts,
  state: AuthState,
  parent: TreeNode,
  needs: ToolServerRowNeeds,
  signal: AbortSignal,
): Promise<readonly TreeNode[]> {
  const hint = (label: string, icon: string, command: CommandId): readonly TreeNode[] => [
    hintNode(ref, parent, needs.host, { label, icon, command }),
  ];
  if (state === "unregistered") {
    return hint(
      "Register its OAuth provider to see its tools",
      "plug",
      "agentOperations.toolServer.registerProvider",
    );
  }
  if (state === "notConnected" || state === "expired" || state === "waiting") {
    return hint("Connect to see its tools", "plug", "agentOperations.toolServer.connect");
  }
  const tools = await needs.toolServers.tools(ref, signal);
  if (tools.length === 0) return hint("It offers no tools", "info", loadTools);
  return tools.map((tool) => toolNode(ref, tool, parent, needs));
}

function toolNode(
  server: ToolServerFacts,
  tool: Tool,
  parent: TreeNode,
  { host, toolServers }: ToolServerRowNeeds,
): ToolNode {
  const { connectionId, toolServerId } = server;
  const { name: serverName, url: serverUrl } = server.server;
  const ref: ToolRef = { connectionId, toolServerId, serverName, serverUrl, tool };
  const title = toolTitle(tool);
  // What it may do comes first: a long title would cut it.
  const words = [...annotationWords(tool.annotations), ...(title === tool.name ? [] : [title])].join(" · ");
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  const open: CommandId = "agentOperations.tool.openSchema";
  return new BranchNode(
    {
      id: `tool:${connectionId}/${toolServerId}/${tool.name}`,
      parent,
      ref,
      row: () => ({
        label: tool.name,
        description: words,
        icon: "wrench",
        contextValue: "tool",
        spoken: `Tool ${tool.name}, ${words}`,
        command: { command: open, title: "Open Input Schema of Tool", arguments: [ref] },
        checkboxState: {
          state: toolServers.isPicked(ref) ? Checked : Unchecked,
          tooltip: "Pick this tool for an agent",
          accessibilityInformation: { label: `Pick the tool ${tool.name}` },
        },
      }),
      tooltip: () => {
        const says = annotationWords(tool.annotations).join(", ") || "nothing";
        const tooltip = factsTooltip(title, { Tool: tool.name, "Says of itself": says });
        if (tool.description !== undefined) tooltip.appendMarkdown("\n\n").appendText(tool.description);
        return tooltip;
      },
    },
    host,
  );
}

/** A row that says why there are no tools, and on a click does what helps. */
function hintNode(
  ref: ToolServerFacts,
  parent: TreeNode,
  host: NodeHost,
  { label, icon, command }: { readonly label: string; readonly icon: string; readonly command: CommandId },
): TreeNode {
  const click = { command, title: label, arguments: [ref] };
  return new BranchNode(
    {
      id: `toolServerHint:${ref.connectionId}/${ref.toolServerId}`,
      parent,
      ref,
      row: () => ({ label, icon, tooltip: label, contextValue: "hint", command: click }),
    },
    host,
  );
}
