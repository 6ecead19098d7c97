import type { InterfaceRows } from "./row.ts";

/** The rows of tool servers and of users' authorization for them. */
export const toolServerRows: InterfaceRows = {
  base: "/v1/managed",
  endpoints: {
    "POST /mcp-servers": [],
    "GET /mcp-servers": [],
    "GET /mcp-servers/{mcp_server_id}": [],
    "PATCH /mcp-servers/{mcp_server_id}": [],
    "DELETE /mcp-servers/{mcp_server_id}": [],
    "POST /mcp-servers/{mcp_server_id}/oauth-provider": [],
    "GET /mcp/tools": [],
    "POST /auth-sessions": [],
    "GET /auth-sessions/{session_id}": [],
  },
  rules: {
    "tokens exists tells of the tokens so obtained": [],
  },
};
