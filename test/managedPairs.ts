/** How one method and path is reached. */
interface ManagedPair {
  /** Tests of the client, as `file: title` of `test/unit/api`. */
  readonly client: readonly string[];
  /** The commands by which a person reaches it, each with the test of `test/editor` in which that happens. */
  readonly commands: Readonly<Record<string, string>>;
}

/**
 * Each method and path of the managed-agents API. The editor suite watches its tests, and fails where one does not do
 * what it is named for here.
 */
export const managedPairs: Readonly<Record<string, ManagedPair>> = {
  "POST /agents": {
    client: ["managedAgents: makes an agent from what is given"],
    commands: {
      "agent.create":
        "agents: makes an agent step by step, with a way back, and changes it in the same fields",
    },
  },
  "GET /agents": {
    client: ["managedAgents: lists a page with its cursor, and fields that it does not know"],
    commands: {
      "agents.refresh": "agentThreads: are counted while they need somebody, in the view's badge",
      "agents.filter": "agents: filters by name and sorts, says so beside its name, and forgets both at once",
      "agents.sort": "agents: filters by name and sorts, says so beside its name, and forgets both at once",
      "agents.clearFilter":
        "agents: filters by name and sorts, says so beside its name, and forgets both at once",
      "agents.loadMore": "agents: loads more on demand, each agent once",
    },
  },
  "GET /agents/{agent_id}": {
    client: ["managedAgents: reads an agent with its files when asked for them"],
    commands: {
      "agent.edit": "agents: makes an agent step by step, with a way back, and changes it in the same fields",
    },
  },
  "PATCH /agents/{agent_id}": {
    client: ["managedAgents: changes only what is named, and learns the new revision"],
    commands: {
      "agent.edit": "agents: makes an agent step by step, with a way back, and changes it in the same fields",
    },
  },
  "DELETE /agents/{agent_id}": {
    client: ["managedAgents: deletes an agent, which answers nothing"],
    commands: {
      "agent.delete": "agents: clones an agent, and deletes one after naming it",
    },
  },
  "POST /agents/{agent_id}/clone": {
    client: ["managedAgents: copies an agent under another name"],
    commands: {
      "agent.clone": "agents: clones an agent, and deletes one after naming it",
    },
  },
  "GET /agents/{agent_id}/health": {
    client: ["managedAgents: finds out which tool servers fail, and keeps checks that it does not know"],
    commands: {
      "agent.checkHealth": "agents: checks the health on demand and names what fails",
    },
  },
  "GET /threads": {
    client: ["managedThreads: are listed by what is asked for, under the key `threads`"],
    commands: {
      "agentThreads.filter":
        "agentThreads: are searched by metadata and by values, and filtered by what they need",
      "agentThreads.loadMore": "agentThreads: load more on demand",
    },
  },
  "POST /threads": {
    client: ["managedThreads: have both names of their id, whichever the server uses"],
    commands: {
      "agent.newThread":
        "agentThreads: run in the panel and stay with their agent over a reload of the panel",
      "agent.newTestThread": "agentThreads: are kept apart from the others when they began as a test",
    },
  },
  "POST /threads/search": {
    client: ["managedThreads: are found by metadata and status, as a bare array"],
    commands: {
      "agentThreads.search":
        "agentThreads: are searched by metadata and by values, and filtered by what they need",
      "inbox.refresh": "inbox: says that nothing waits",
    },
  },
  "GET /threads/count": {
    client: [
      "managedThreads: are counted while somebody should look, also by an earlier version's bare number",
    ],
    commands: {
      "agents.refresh": "agentThreads: are counted while they need somebody, in the view's badge",
    },
  },
  "GET /threads/{thread_id}": {
    client: ["managedThreads: have both names of their id, whichever the server uses"],
    commands: {
      "thread.open": "agentThreads: run in the panel and stay with their agent over a reload of the panel",
      "thread.openState": "agentThreads: show their state as a document",
    },
  },
  "PATCH /threads/{thread_id}": {
    client: ["managedThreads: are renamed and pinned, and deleted"],
    commands: {
      "thread.rename": "agentThreads: are renamed, pinned and deleted by the commands that any thread has",
    },
  },
  "DELETE /threads/{thread_id}": {
    client: ["managedThreads: are renamed and pinned, and deleted"],
    commands: {
      "thread.delete": "agentThreads: are renamed, pinned and deleted by the commands that any thread has",
    },
  },
  "POST /threads/bulk-modify": {
    client: ["managedThreads: are changed 50 to a request, and a failure leaves the results before it"],
    commands: {
      "agentThread.pin": "agentThreads: are renamed, pinned and deleted by the commands that any thread has",
      "agentThread.unpin":
        "agentThreads: are renamed, pinned and deleted by the commands that any thread has",
      "agentThread.change": "agentThreads: are changed many at once, and those that fail are told",
    },
  },
  "POST /threads/runs": {
    client: ["managedThreads: can make their thread, as a test"],
    commands: {
      "agent.runInBackground": "agentThreads: run in the background, on a new thread or one that is there",
    },
  },
  "POST /threads/{thread_id}/runs": {
    client: ["managedThreads: start in the background"],
    commands: {
      "agentThread.runInBackground":
        "agentThreads: run in the background, on a new thread or one that is there",
    },
  },
  "POST /threads/{thread_id}/runs/stream": {
    client: [
      "managedThreads: stream every event under its name",
      "managedThreads: go on with an answer, and with a message that says nothing",
    ],
    commands: {
      "agent.newThread":
        "agentThreads: run in the panel and stay with their agent over a reload of the panel",
      "thread.open": "agentThreads: run in the panel and stay with their agent over a reload of the panel",
      "inbox.approve": "inbox: approves what is plain without opening it, and the row goes",
      "inbox.reject": "inbox: rejects with a reason, which the agent is told, wherever it runs",
      "inbox.answer": "inbox: opens a thread on its question",
    },
  },
  "POST /threads/{thread_id}/resolve-interrupt": {
    client: ["managedThreads: are let go without a body"],
    commands: {
      "inbox.dismiss": "inbox: dismisses without running only when told so, and says that this is no answer",
    },
  },
  "POST /mcp-servers": {
    client: ["toolServers: registers a server with its headers, and gives back their names alone"],
    commands: {
      "toolServer.register":
        "toolServers: registers a server step by step, its headers hidden as they are typed",
    },
  },
  "GET /mcp-servers": {
    client: [
      "toolServers: lists servers from a bare array or an object around it, without the values of headers",
    ],
    commands: {
      "toolServers.refresh": "authSessions: says that a grant is over when its token expired",
    },
  },
  "GET /mcp-servers/{mcp_server_id}": {
    client: ["toolServers: reads, changes and deletes one server"],
    commands: {
      "toolServer.edit": "toolServers: asks before the headers of a server go to another address",
      "toolServer.rotateHeaders": "toolServers: rotates one header and keeps the others",
    },
  },
  "PATCH /mcp-servers/{mcp_server_id}": {
    client: ["toolServers: reads, changes and deletes one server"],
    commands: {
      "toolServer.edit": "toolServers: asks before the headers of a server go to another address",
      "toolServer.rotateHeaders": "toolServers: rotates one header and keeps the others",
    },
  },
  "DELETE /mcp-servers/{mcp_server_id}": {
    client: ["toolServers: reads, changes and deletes one server"],
    commands: {
      "toolServer.delete": "toolServers: names the agents that use a server before it is deleted",
    },
  },
  "POST /mcp-servers/{mcp_server_id}/oauth-provider": {
    client: ["toolServers: registers an OAuth provider once, without repeating it"],
    commands: {
      "toolServer.registerProvider":
        "authSessions: registers an OAuth provider on demand, and where there is none before it connects",
      "toolServer.connect":
        "authSessions: registers an OAuth provider on demand, and where there is none before it connects",
    },
  },
  "GET /mcp/tools": {
    client: ["toolServers: lists the tools of a server with everything that they say of themselves"],
    commands: {
      "toolServer.loadTools":
        "toolServers: says of a server that is not there why it gives no tools, and asks again on a key",
      "toolServers.refresh": "toolServers: opens a tool's input schema as a JSON document",
    },
  },
  "POST /auth-sessions": {
    client: ["authSessions: begins a session and says where the user agrees"],
    commands: {
      "toolServer.connect": "authSessions: leaves the token that the platform returns for a grant nowhere",
    },
  },
  "GET /auth-sessions/{session_id}": {
    client: ["authSessions: waits within the interface's limits, and tells why a session ended"],
    commands: {
      "toolServer.connect": "authSessions: waits for several at once, each ending for itself",
    },
  },
};
