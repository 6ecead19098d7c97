/** What a server's interfaces answer, asked for harmlessly. */

import type { Dispatcher } from "undici";
import { saysUnsupported } from "../capabilities.ts";
import { unwrapMessage } from "../errorBody.ts";
import { wordsFor } from "../advice.ts";
import { ApiError } from "../errors.ts";
import { Http, type HttpRequest, path } from "../http.ts";
import { type ManagedAgentsDialect, managedAgentsPath } from "../managedAgents/index.ts";
import { type Finding, type ProbeStep, timed } from "./step.ts";

/** An interface to ask whether it answers, at its base URL. */
export interface ProbeTarget {
  readonly kind: "agentServer" | "streamingProtocol" | "managedAgents" | "controlPlane" | "bulkExports";
  readonly url: string;
  /** Which name the managed agents have there. */
  readonly dialect?: ManagedAgentsDialect | undefined;
}

/** How requests are made to an interface. */
export interface InterfaceOptions {
  readonly dispatcher?: Dispatcher | undefined;
  readonly headersFor?: ((url: string) => Promise<Readonly<Record<string, string>>>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Question {
  readonly name: string;
  readonly request: HttpRequest;
  /** Whether the server is still what it should be without this. */
  readonly optional?: boolean;
}

const stepMs = 15_000;
const noThread = "00000000-0000-4000-8000-000000000000";
/** A command that changes nothing; even a refusal shows that the protocol is spoken. */
const askForTree = { id: 1, method: "agent.getTree", params: {} };

/** Yields one step per question; the first that fails is the last, because the others would fail alike. */
export async function* probeInterface(
  target: ProbeTarget,
  options: InterfaceOptions,
): AsyncIterable<ProbeStep> {
  const { dispatcher, headersFor, signal } = options;
  const headers = async () => (await headersFor?.(target.url)) ?? {};
  const http = new Http({ baseUrl: target.url, dispatcher, headers, timeoutMs: stepMs });
  for (const question of questionsOf(target)[target.kind]) {
    const step = await timed(question.name, () => ask(http, question, signal));
    yield step;
    if (step.outcome === "failed") return;
  }
}

async function ask(
  http: Http,
  { request, optional = false }: Question,
  signal: AbortSignal | undefined,
): Promise<Finding> {
  try {
    const answer = await http.json({ ...request, signal, idempotent: false });
    return { outcome: "ok", detail: `${describe(answer)} · ${http.baseUrl}` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (optional && saysUnsupported(error)) {
      return { outcome: "skipped", detail: `not supported (${error.status ?? ""}) · ${http.baseUrl}` };
    }
    const { message, remedy } = wordsFor(error);
    return { outcome: "failed", detail: `${message}. ${remedy}`, error };
  }
}

const questionsOf = ({
  dialect,
}: ProbeTarget): Readonly<Record<ProbeTarget["kind"], readonly Question[]>> => ({
  agentServer: [
    { name: "Agent server: up", request: { method: "GET", path: "/ok" } },
    { name: "Agent server: version", request: { method: "GET", path: "/info" }, optional: true },
    {
      name: "Agent server: threads",
      request: { method: "POST", path: "/threads/search", body: { limit: 1 } },
    },
    {
      name: "Agent server: streaming protocol",
      request: { method: "POST", path: path`/threads/${noThread}/commands`, body: askForTree },
      optional: true,
    },
  ],
  streamingProtocol: [
    {
      name: "Streaming protocol: commands",
      request: { method: "POST", path: path`/api/threads/${noThread}/commands`, body: askForTree },
    },
    {
      name: "Streaming protocol: threads",
      request: { method: "GET", path: "/api/threads" },
      optional: true,
    },
  ],
  managedAgents: [
    {
      name: "Managed agents",
      request: { method: "GET", path: `${managedAgentsPath(dialect)}/agents`, query: { page_size: 1 } },
    },
  ],
  controlPlane: [
    { name: "Control plane", request: { method: "GET", path: "/v2/deployments", query: { limit: 1 } } },
  ],
  bulkExports: [
    { name: "Bulk exports", request: { method: "GET", path: "/api/v1/bulk-exports/destinations" } },
  ],
});

function describe(answer: unknown): string {
  if (Array.isArray(answer)) return answer.length === 0 ? "answers, with nothing in it yet" : "answers";
  const { version, type } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof version === "string") return `answers, version ${version}`;
  if (type === "error") return `answers: ${unwrapMessage(answer) ?? "an error"}`;
  return "answers";
}
