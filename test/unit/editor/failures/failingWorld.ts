import { ApiError, type ErrorKind } from "../../../../src/api/errors.ts";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import type { DeploymentFacts } from "../../../../src/editor/deployments/deploymentFacts.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { Failures } = await import("../../../../src/editor/failures/failures.ts");

/** Milliseconds. */
export const hour = 3_600_000;
/** The time it is, in epoch milliseconds. */
export const start = Date.parse("2026-05-01T12:00:00Z");
/** A time before that, as the platform writes it. */
export const ago = (ms: number): string => new Date(start - ms).toISOString();

const noThreads: (server: string) => Promise<unknown> = () => Promise.resolve({ threads: [] });
const healthy: (agent: string) => Promise<unknown> = () => Promise.resolve({});

/** Everything that is asked, and what it answers at the moment. */
export function world() {
  const listeners: (() => void)[] = [];
  const at = {
    now: start,
    /** How far the servers' clocks are ahead. */
    ahead: 0,
    connections: [{ id: "p", name: "Production", kind: "platform" }] as ConnectionSetting[],
    deployments: (): Promise<readonly DeploymentFacts[]> => Promise.resolve([]),
    known: {} as { items?: readonly DeploymentFacts[]; error?: unknown },
    log: (): Promise<unknown> => Promise.resolve({ logs: [] }),
    threads: noThreads,
    titles: {} as Record<string, string>,
    named: [] as { name: string; url: string }[],
    agents: (): Promise<unknown> => Promise.resolve({ items: [] }),
    health: healthy,
    exports: (): Promise<unknown> => Promise.resolve([]),
    runs: (): Promise<unknown> => Promise.resolve([]),
    deliveries: [] as unknown[],
    inboxFailures: [] as unknown[],
    receiver: { kind: "stopped" } as unknown,
    asked: [] as string[],
    tell: () => listeners.forEach((listener) => listener()),
  };
  const memory = new TestMemento();
  const never = () => ({ dispose: () => undefined });
  const make = () =>
    new Failures({
      connections: { list: () => at.connections, heldUntil: () => undefined },
      clock: { now: () => at.now },
      memory,
      stuckMs: () => hour,
      deployments: {
        all: async (id: string) => (id === "s" ? [] : (await at.deployments()).map(withAddress)),
        allKnown: (id: string) => ({ items: [], ...(id === "s" ? {} : at.known) }),
      },
      agentServers: {
        now: () => at.now + at.ahead,
        named: (connectionId: string) =>
          Promise.resolve(
            (connectionId === "s" ? at.named : []).map(({ name, url }) => ({
              ...{ connectionId, name, url },
              server: { kind: "agentServer", url },
            })),
          ),
        threads: ({ name }: { name: string }) =>
          Promise.resolve({
            search: () => {
              at.asked.push(name);
              return at.threads(name);
            },
          }),
      },
      platforms: {
        controlPlane: () => Promise.resolve({ logs: { ofRevision: () => at.log() } }),
        managedAgents: () => Promise.resolve({ agents: { page: () => at.agents() } }),
        exportJobs: () => Promise.resolve({ list: () => at.exports(), runs: () => at.runs() }),
      },
      agents: { checkHealth: ({ agentId }: { agentId: string }) => at.health(agentId) },
      threads: { knownTitle: ({ threadId }: { threadId: string }) => at.titles[threadId] },
      localIssues: () =>
        Promise.resolve({
          webhooks: () => Promise.resolve([{ id: "w", url: "http://127.0.0.1:1/w" }]),
          deliveries: () => Promise.resolve(at.deliveries),
        }),
      inbox: {
        get contents() {
          return { failures: at.inboxFailures };
        },
        onDidChange: (listener: () => void) => {
          listeners.push(listener);
          return { dispose: () => undefined };
        },
      },
      issueWebhooks: {
        get state() {
          return at.receiver;
        },
        onDidChange: never,
      },
    } as unknown as ConstructorParameters<typeof Failures>[0]);
  return { at, make, memory };
}

/** Where its agent server is. */
function withAddress(facts: DeploymentFacts): DeploymentFacts {
  const { id, deployment } = facts;
  return { ...facts, deployment: deployment && { ...deployment, url: `https://${id}.test` } };
}

/** A deployment that was changed an hour ago, with its newest revision in that status. */
export const deployment = (id: string, status: string, updated_at = ago(hour)): DeploymentFacts => ({
  id,
  origin: "listed",
  deployment: { id, name: id, active_revision_id: "old", latest_revision_id: `r-${id}` },
  latest: { id: `r-${id}`, status, updated_at },
});

/** A failed request to the platform. */
export const failing = (kind: ErrorKind) =>
  new ApiError(kind, { method: "GET", url: "https://prod.test/v2", detail: "so it is" });

/** Disposed of at the end of its block. */
export function disposing<T extends { dispose(): void }>(part: T): T & Disposable {
  return Object.assign(part, { [Symbol.dispose]: () => part.dispose() });
}
