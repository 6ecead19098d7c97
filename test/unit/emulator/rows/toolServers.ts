import type { InterfaceRows } from "./row.ts";

/** The rows of tool servers and of users' authorization for them. */
export const toolServerRows: InterfaceRows = {
  base: "/v1/managed",
  endpoints: {
    "POST /mcp-servers": [
      "mcpServers: are made from a name and a URL, with the documented defaults",
      "mcpServers: are one for each URL, without regard to case and to a slash at the end",
      "mcpServers: survive a restart with headers that no file of the platform holds in the clear",
    ],
    "GET /mcp-servers": [
      "mcpServers: are listed as a bare array, oldest first",
      "mcpServers: keep their headers from whoever may not invoke them",
    ],
    "GET /mcp-servers/{mcp_server_id}": [
      "mcpServers: are made from a name and a URL, with the documented defaults",
      "mcpServers: keep their headers from whoever may not invoke them",
    ],
    "PATCH /mcp-servers/{mcp_server_id}": [
      "mcpServers: change only in what is named, and headers as a whole",
      "mcpServers: do not take their headers to another URL for whoever may not invoke them",
    ],
    "DELETE /mcp-servers/{mcp_server_id}": [
      "mcpServers: are gone once deleted, and deleting what is gone is fine",
      "authSessions: and their tokens are gone with the tool server",
    ],
    "POST /mcp-servers/{mcp_server_id}/oauth-provider": [
      "mcpTools: is found through the server's own metadata, registered once, and then the same",
      "mcpTools: is only for servers that use OAuth with a client for each user",
      "mcpTools: is unavailable when the server is not there or names no authorization server",
    ],
    "GET /mcp/tools": [
      "mcpTools: are asked for once, with the server's headers, and then remembered",
      "mcpTools: are asked for again on demand, and when headers changed",
      "peers/mcp: are listed just as the official client sees them",
      "peers/mcp: behind the official authorization are listed once the user agreed in a browser",
    ],
    "POST /auth-sessions": [
      "authSessions: begin pending, with the address where the user agrees",
      "authSessions: are answered at once with a token that is held and covers the scopes, when it may be reused",
      "authSessions: are refused with the API's own errors when something is wrong with the request",
    ],
    "GET /auth-sessions/{session_id}": [
      "authSessions: let those who wait know at once, and others after the time they wanted to wait",
      "authSessions: need a connection when the user said no",
      "authSessions: expire when nobody agreed in time",
      "authSessions: tell when the token that they brought came to its end",
    ],
  },
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
