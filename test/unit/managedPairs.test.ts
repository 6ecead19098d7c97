import { strict as assert } from "node:assert";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { COMMANDS } from "../../src/editor/ids.ts";
import { managedAgentRows } from "./emulator/rows/managedAgents.ts";
import { toolServerRows } from "./emulator/rows/toolServers.ts";

/** Each method and path of the managed-agents API: the commands by which a person reaches it, and tests of both. */
const pairs: Readonly<
  Record<string, { readonly commands: readonly string[]; readonly tests: readonly string[] }>
> = {
  "POST /agents": {
    commands: ["agent.create"],
    tests: [
      "api/managedAgents: makes an agent from what is given",
      "ui/agents: is made step by step, and shows what it is made of",
    ],
  },
  "GET /agents": {
    commands: ["agents.refresh", "agents.filter", "agents.sort", "agents.clearFilter", "agents.loadMore"],
    tests: [
      "api/managedAgents: lists a page with its cursor, and fields that it does not know",
      "editor/agents: loads more on demand, each agent once",
      "editor/agents: filters by name and sorts, says so beside its name, and forgets both at once",
    ],
  },
  "GET /agents/{agent_id}": {
    commands: ["agent.edit"],
    tests: [
      "api/managedAgents: reads an agent with its files when asked for them",
      "editor/agents: lists agents with their model, and below them threads, tools, backend and files",
    ],
  },
  "PATCH /agents/{agent_id}": {
    commands: ["agent.edit"],
    tests: [
      "api/managedAgents: changes only what is named, and learns the new revision",
      "editor/agents: makes an agent step by step, with a way back, and changes it in the same fields",
    ],
  },
  "DELETE /agents/{agent_id}": {
    commands: ["agent.delete"],
    tests: [
      "api/managedAgents: deletes an agent, which answers nothing",
      "editor/agents: clones an agent, and deletes one after naming it",
    ],
  },
  "POST /agents/{agent_id}/clone": {
    commands: ["agent.clone"],
    tests: [
      "api/managedAgents: copies an agent under another name",
      "editor/agents: clones an agent, and deletes one after naming it",
    ],
  },
  "GET /agents/{agent_id}/health": {
    commands: ["agent.checkHealth"],
    tests: [
      "api/managedAgents: finds out which tool servers fail, and keeps checks that it does not know",
      "editor/agents: checks the health on demand and names what fails",
    ],
  },
  "GET /threads": {
    commands: ["agentThreads.filter", "agentThreads.loadMore"],
    tests: [
      "api/managedThreads: are listed by what is asked for, under the key `threads`",
      "editor/agentThreads: load more on demand",
    ],
  },
  "POST /threads": {
    commands: ["agent.newThread", "agent.newTestThread"],
    tests: [
      "api/managedThreads: have both names of their id, whichever the server uses",
      "editor/agentThreads: run in the panel and stay with their agent over a reload of the panel",
    ],
  },
  "POST /threads/search": {
    commands: ["agentThreads.search", "inbox.refresh"],
    tests: [
      "api/managedThreads: are found by metadata and status, as a bare array",
      "editor/agentThreads: are searched by metadata and by values, and filtered by what they need",
    ],
  },
  "GET /threads/count": {
    commands: ["agents.refresh"],
    tests: [
      "api/managedThreads: are counted while somebody should look, also by an earlier version's bare number",
      "editor/agentThreads: are counted while they need somebody, in the view's badge",
    ],
  },
  "GET /threads/{thread_id}": {
    commands: ["thread.open", "thread.openState"],
    tests: [
      "api/managedThreads: have both names of their id, whichever the server uses",
      "editor/agentThreads: show their state as a document",
    ],
  },
  "PATCH /threads/{thread_id}": {
    commands: ["thread.rename"],
    tests: [
      "api/managedThreads: are renamed and pinned, and deleted",
      "editor/agentThreads: are renamed, pinned and deleted by the commands that any thread has",
    ],
  },
  "DELETE /threads/{thread_id}": {
    commands: ["thread.delete"],
    tests: [
      "api/managedThreads: are renamed and pinned, and deleted",
      "editor/agentThreads: are renamed, pinned and deleted by the commands that any thread has",
    ],
  },
  "POST /threads/bulk-modify": {
    commands: ["agentThread.pin", "agentThread.unpin", "agentThread.change"],
    tests: [
      "api/managedThreads: are changed 50 to a request, and a failure leaves the results before it",
      "editor/agentThreads: are changed many at once, and those that fail are told",
    ],
  },
  "POST /threads/runs": {
    commands: ["agent.runInBackground"],
    tests: [
      "api/managedThreads: can make their thread, as a test",
      "editor/agentThreads: run in the background, on a new thread or one that is there",
    ],
  },
  "POST /threads/{thread_id}/runs": {
    commands: ["agentThread.runInBackground"],
    tests: [
      "api/managedThreads: start in the background",
      "editor/agentThreads: run in the background, on a new thread or one that is there",
    ],
  },
  "POST /threads/{thread_id}/runs/stream": {
    commands: ["agent.newThread", "thread.open", "inbox.approve", "inbox.reject", "inbox.answer"],
    tests: [
      "api/managedThreads: stream every event under its name",
      "api/managedThreads: go on with an answer, and with a message that says nothing",
      "editor/inbox: approves what is plain without opening it, and the row goes",
    ],
  },
  "POST /threads/{thread_id}/resolve-interrupt": {
    commands: ["inbox.dismiss"],
    tests: [
      "api/managedThreads: are let go without a body",
      "editor/inbox: dismisses without running only when told so, and says that this is no answer",
    ],
  },
  "POST /mcp-servers": {
    commands: ["toolServer.register"],
    tests: [
      "api/toolServers: registers a server with its headers, and gives back their names alone",
      "editor/toolServers: registers a server step by step, its headers hidden as they are typed",
    ],
  },
  "GET /mcp-servers": {
    commands: ["toolServers.refresh"],
    tests: [
      "api/toolServers: lists servers from a bare array or an object around it, without the values of headers",
      "editor/toolServers: asks for a tool server where there is none",
    ],
  },
  "GET /mcp-servers/{mcp_server_id}": {
    commands: ["toolServer.edit", "toolServer.rotateHeaders"],
    tests: [
      "api/toolServers: reads, changes and deletes one server",
      "editor/toolServers: rotates one header and keeps the others",
    ],
  },
  "PATCH /mcp-servers/{mcp_server_id}": {
    commands: ["toolServer.edit", "toolServer.rotateHeaders"],
    tests: [
      "api/toolServers: reads, changes and deletes one server",
      "editor/toolServers: rotates one header and keeps the others",
    ],
  },
  "DELETE /mcp-servers/{mcp_server_id}": {
    commands: ["toolServer.delete"],
    tests: [
      "api/toolServers: reads, changes and deletes one server",
      "editor/toolServers: names the agents that use a server before it is deleted",
    ],
  },
  "POST /mcp-servers/{mcp_server_id}/oauth-provider": {
    commands: ["toolServer.registerProvider", "toolServer.connect"],
    tests: [
      "api/toolServers: registers an OAuth provider once, without repeating it",
      "ui/toolServers: is registered step by step, and connected on a page of the browser",
    ],
  },
  "GET /mcp/tools": {
    commands: ["toolServer.loadTools", "toolServers.refresh"],
    tests: [
      "api/toolServers: lists the tools of a server with everything that they say of themselves",
      "editor/toolServers: opens a tool's input schema as a JSON document",
    ],
  },
  "POST /auth-sessions": {
    commands: ["toolServer.connect"],
    tests: [
      "api/authSessions: begins a session and says where the user agrees",
      "editor/authSessions: opens the page, waits until the person agreed there, and shows the tools",
    ],
  },
  "GET /auth-sessions/{session_id}": {
    commands: ["toolServer.connect"],
    tests: [
      "api/authSessions: waits within the interface's limits, and tells why a session ended",
      "editor/authSessions: waits for several at once, each ending for itself",
    ],
  },
};

describe("The managed-agents API", () => {
  it("has each of its 28 methods and paths in the table of what reaches it", () => {
    const specified = [managedAgentRows, toolServerRows].flatMap(({ endpoints }) => Object.keys(endpoints));
    assert.equal(specified.length, 28);
    assert.deepEqual(Object.keys(pairs).toSorted(), specified.toSorted());
  });

  it("is reached by commands that exist", () => {
    const known: readonly string[] = COMMANDS;
    const missing = Object.entries(pairs).flatMap(([pair, { commands }]) =>
      commands.length === 0
        ? [pair]
        : commands
            .filter((command) => !known.includes(`agentOperations.${command}`))
            .map((command) => `${pair} → ${command}`),
    );
    assert.deepEqual(missing, []);
  });

  it("is reached in a test of a window by one of its commands, named there by id or title", () => {
    const sources = ["editor", "ui"].flatMap((folder) => {
      const path = join(import.meta.dirname, "..", folder);
      return globSync("*.test.ts", { cwd: path }).map((file) => readFileSync(join(path, file), "utf8"));
    });
    const unused = Object.entries(pairs).filter(([, { commands }]) => {
      const names = commands.flatMap((command) => [`${command}"`, titleOf(command)]);
      return !names.some((name) => sources.some((source) => source.includes(name)));
    });
    assert.deepEqual(
      unused.map(([pair]) => pair),
      [],
    );
  });

  it("is tested by tests that exist, of the client and where a person stands", () => {
    const titles = new Set([...titlesIn("unit/api"), ...titlesIn("editor"), ...titlesIn("ui")]);
    const missing = Object.entries(pairs).flatMap(([pair, { tests }]) =>
      tests.filter((test) => !titles.has(test)).map((test) => `${pair} → ${test}`),
    );
    assert.deepEqual(missing, []);
  });
});

/** The titles of a folder's tests as they are written, each with the names of its folder and file. */
function titlesIn(folder: string): string[] {
  const path = join(import.meta.dirname, "..", folder);
  return globSync("*.test.ts", { cwd: path }).flatMap((file) => {
    const source = readFileSync(join(path, file), "utf8");
    const written = source.matchAll(/\bit\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs);
    return [...written].map(
      ([, , title = ""]) => `${basename(folder)}/${basename(file, ".test.ts")}: ${title}`,
    );
  });
}

function titleOf(command: string): string {
  const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const { contributes } = JSON.parse(manifest) as {
    contributes: { commands: readonly { command: string; title: string }[] };
  };
  const found = contributes.commands.find((entry) => entry.command === `agentOperations.${command}`);
  assert.ok(found, command);
  return found.title;
}
