import type { IncomingMessage, ServerResponse } from "node:http";

/** A request that came in, and how it was answered. Neither its query nor its body is kept. */
export interface RecentRequest {
  readonly method: string;
  /** Without the parts that are secrets themselves. */
  readonly path: string;
  readonly at: Date;
  /** Absent while it is being answered; 0 when the client went before the answer. */
  status?: number;
  /** Milliseconds until it was answered in full. */
  duration?: number;
}

const kept = 100;
const maxPath = 200;

/** The latest requests, newest first. Looking at the status page is none. */
export class RecentRequests {
  readonly #requests: RecentRequest[] = [];

  /** Records a request, and its answer when that is sent. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const path = shown(request.url ?? "/");
    if (path === "/") return;
    const started = performance.now();
    const entry: RecentRequest = { method: request.method ?? "GET", path, at: new Date() };
    this.#requests.unshift(entry);
    if (this.#requests.length > kept) this.#requests.pop();
    response.once("close", () => {
      entry.status = response.headersSent ? response.statusCode : 0;
      entry.duration = performance.now() - started;
    });
  }

  list(): readonly RecentRequest[] {
    return this.#requests;
  }
}

/** The id of a feedback token is a secret: it is all that its use takes. */
function shown(url: string): string {
  const path = (url.split("?", 1)[0] ?? "/").replace(/(\/feedback\/tokens\/)[^/]+/, "$1…");
  return path.length > maxPath ? `${path.slice(0, maxPath)}…` : path;
}
