declare module "@modelcontextprotocol/server-everything/dist/server/index.js" {
  import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

  /** The reference tool server; the package has no types of its own. */
  export function createServer(): {
    readonly server: McpServer;
    readonly cleanup: (sessionId?: string) => void;
  };
}
