import type { InterfaceRows } from "./row.ts";

/** The rows of tool servers and of users' authorization for them. */
export const toolServerRows: InterfaceRows = {
  base: "/v1/managed",
  endpoints: [
    "POST /mcp-servers",
    "GET /mcp-servers",
    "GET /mcp-servers/{mcp_server_id}",
    "PATCH /mcp-servers/{mcp_server_id}",
    "DELETE /mcp-servers/{mcp_server_id}",
    "POST /mcp-servers/{mcp_server_id}/oauth-provider",
    "GET /mcp/tools",
    "POST /auth-sessions",
    "GET /auth-sessions/{session_id}",
  ],
  rules: {
    "tokens exists tells of the tokens so obtained": [
      "authSessions: complete when the user agreed, and then the platform holds a token",
      "authSessions: bring tokens that are renewed when they end, until the provider refuses",
    ],
    "an answer with a foreign state is refused": [
      "authSessions: are untouched by an answer whose state is not theirs",
      "authSessions: take an answer once",
    ],
    "credentials are sealed at rest": [
      "authSessions: leave no token, secret or proof in the clear in the files of the platform",
    ],
  },
};
