import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

/** Whether a tool server answered as one, and why not. */
export interface ToolServerHealth {
  readonly ok: boolean;
  readonly error?: string;
}

const deadlineMs = 10_000;
/** More than any list of tools takes up; a server that never stops talking must not fill the memory. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Asks a tool server for its tools; answers whether it gave them. Never throws. */
export async function toolServerHealth(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<ToolServerHealth> {
  try {
    await withToolServer(url, headers, (client, options) => client.listTools({}, options), signal);
    return { ok: true };
  } catch (error) {
    return { ok: false, error: toolServerProblem(error) };
  }
}

/**
 * Connects to a tool server over streamable HTTP, does something there, and takes leave: all within ten seconds.
 * Throws what the connection or the work throws.
 */
export async function withToolServer<Result>(
  url: string,
  headers: Readonly<Record<string, string>>,
  work: (client: Client, options: { readonly signal: AbortSignal }) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const options = { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) };
  const [sdk, { StreamableHTTPClientTransport: Transport }] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
  ]);
  const client = new sdk.Client({ name: "local-platform", version: "0.1.0" });
  const transport = new Transport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch,
  });
  try {
    await client.connect(transport, options);
    return await work(client, options);
  } finally {
    await transport.terminateSession().catch(() => undefined);
    await client.close();
  }
}

async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let left = maxAnswerBytes;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      left -= chunk.length;
      if (left >= 0) controller.enqueue(chunk);
      else controller.error(new Error(`The tool server's answer is larger than ${maxAnswerBytes} bytes.`));
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

/** Why a tool server could not be used, in one line. */
export function toolServerProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  const message = error.message === "fetch failed" && cause !== "" ? cause : error.message;
  const line = message.split("\n", 1)[0]?.slice(0, 500) ?? error.name;
  const status =
    "code" in error && typeof error.code === "number" && error.code >= 400 ? error.code : undefined;
  return status === undefined ? line : `HTTP ${status}: ${line}`;
}
