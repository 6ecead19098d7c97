import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import type { Json, ThreadState } from "../../../src/api/agentServer/wire.ts";
import { ExportJobs } from "../../../src/api/bulkExports/exportJobs.ts";
import { ControlPlane } from "../../../src/api/controlPlane/index.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { ManagedAgents } from "../../../src/api/managedAgents/index.ts";
import { TranscriptFold } from "../../../src/run/fold/fold.ts";
import { all } from "../../support/all.ts";
import { damagedBytes, damagedJson } from "../../support/damage.ts";
import { serve, type TestServer } from "../../support/testServer.ts";
import type { Damager } from "./damager.ts";

interface DamagedAnswer {
  readonly fixture: string;
  readonly body: Uint8Array;
}

/** Recorded answers, with the calls that they answer. */
const calls: Readonly<Record<string, (http: Http) => Promise<unknown>>> = {
  info: (http) => new AgentServer(http).info(),
  assistants: (http) => new AgentServer(http).assistants.search(),
  runs: (http) => new AgentServer(http).runs.list("t"),
  "thread-search": (http) => new AgentServer(http).threads.search(),
  "approval-thread": (http) => new AgentServer(http).threads.get("t"),
  "approval-state": (http) => new AgentServer(http).threads.state("t").then(shown),
  "researcher-history": (http) => new AgentServer(http).threads.history("t"),
  "controlPlane/deployments": (http) => new ControlPlane(http).deployments.page(),
  "controlPlane/deployment": (http) => new ControlPlane(http).deployments.get("d"),
  "controlPlane/revisions": (http) => new ControlPlane(http).revisions.page("d"),
  "managedAgents/agents-list": (http) => all(new ManagedAgents(http).agents.list()),
  "managedAgents/agents-get": (http) => new ManagedAgents(http).agents.get("a"),
  "managedAgents/threads-list": (http) => all(new ManagedAgents(http).threads.list({ agent_id: "a" })),
  "toolServers/server": (http) => new ManagedAgents(http).toolServers.get("s"),
  "bulkExports/exports": (http) => new ExportJobs(http).list(),
};

/** Answers of REST calls: each gives a value or an ApiError, and a thread's state of any shape can be shown. */
export const answers: Damager<DamagedAnswer> = {
  name: "answers",
  mostMs: 5000,
  mostMb: 300,
  make: async (random) => {
    const fixture = random.pick(Object.keys(calls));
    const text = await readFile(join(import.meta.dirname, "../../fixtures/wire", `${fixture}.json`), "utf8");
    if (random.chance(0.3)) return { fixture, body: damagedBytes(Buffer.from(bodyIn(text)), random) };
    const damaged = damagedJson(JSON.parse(bodyIn(text)) as Json, random, random.pick([0.01, 0.05, 0.2]));
    return { fixture, body: Buffer.from(JSON.stringify(damaged)) };
  },
  hold: async ({ fixture, body }) => {
    served = body;
    pages = 0;
    server ??= serve(() => ({ body: (pages += 1) > 3 ? '{"items":[]}' : served }));
    const http = new Http({ baseUrl: (await server).url });
    await calls[fixture]?.(http).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  },
};

let server: Promise<TestServer> | undefined;
let served: Uint8Array = new Uint8Array();
let pages = 0;

/** Some fixtures are whole exchanges, others only an answer. */
function bodyIn(text: string): string {
  const value = JSON.parse(text) as { readonly response?: { readonly body?: unknown } };
  return value.response === undefined ? text : JSON.stringify(value.response.body);
}

function shown(state: ThreadState): void {
  const fold = new TranscriptFold();
  fold.reconcile(state);
  fold.entries();
}
