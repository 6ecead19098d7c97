/** The one error of the platform's interfaces: what failed, where, and what the server said. */

/** What went wrong, as far as it decides what a person does next. */
export type ErrorKind =
  | "dns"
  | "refused"
  | "unreachable"
  | "tls"
  | "proxy"
  | "timeout"
  | "aborted"
  | "redirected"
  | "unauthorized"
  | "forbidden"
  | "missingPermission"
  | "notFound"
  | "conflict"
  | "invalid"
  | "tooLarge"
  | "rateLimited"
  | "server"
  | "notJson"
  | "malformed"
  | "cut"
  | "runFailed";

/** One field that the server refused, as in a 422 body (spec "Validation error body"). */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface ApiErrorFacts {
  readonly method: string;
  /** Stored masked: without query values, user info and feedback tokens. */
  readonly url: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The permission a 403 names. */
  readonly permission?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
  readonly retryAfterMs?: number | undefined;
  /** One line: what the server or the network stack said. */
  readonly detail?: string | undefined;
  /** The start of the answer's body, as evidence. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

const longestBody = 2000;

/** A call that failed, whatever the reason: network, HTTP status, or an answer that isn't what it should be. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly permission: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;
  readonly body: string | undefined;

  constructor(kind: ErrorKind, facts: ApiErrorFacts) {
    const url = maskUrl(facts.url);
    const what = [facts.status, facts.detail].filter((part) => part !== undefined).join(" ");
    super(`${facts.method} ${url}: ${what === "" ? kind : what}`, { cause: facts.cause });
    this.kind = kind;
    this.method = facts.method;
    this.url = url;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.permission = facts.permission;
    this.fields = facts.fields;
    this.retryAfterMs = facts.retryAfterMs;
    this.detail = facts.detail;
    this.body = facts.body?.slice(0, longestBody);
  }
}

/** The URL without anything that authorizes: query values, user info, feedback tokens. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text.replace(/\?.*$/s, "");
  const url = new URL(text);
  const names = [...new Set(url.searchParams.keys())];
  const path = url.pathname.replace(/(\/feedback\/tokens\/)[^/]+/, "$1***");
  return url.origin + path + (names.length === 0 ? "" : `?${names.join("&")}`);
}

/** What to tell a person: what happened to what, and what to do now. */
export interface Words {
  readonly message: string;
  readonly remedy: string;
}

/** Words for any failure; holds no header value, token or feedback URL. */
export function wordsFor(error: unknown): Words {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, remedy: "Try again; the log has the details." };
  }
  const host = URL.parse(error.url)?.host ?? "The server";
  const said = error.detail === undefined ? "" : `: ${error.detail}`;
  const id = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  return error.status === undefined
    ? connectionWords(error, host, said)
    : answerWords(error, host, said + id);
}

function connectionWords({ kind, detail }: ApiError, host: string, said: string): Words {
  switch (kind) {
    case "dns":
      return {
        message: `The name of ${host} can't be resolved${said}`,
        remedy: "Check the connection's URL, your network and VPN.",
      };
    case "refused":
      return {
        message: `Nothing listens at ${host}`,
        remedy: "Start the server, or correct the port in the connection's URL.",
      };
    case "tls":
      return {
        message: `The certificate of ${host} was not accepted${said}`,
        remedy:
          "Add the issuing authority to the system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS and restart the editor.",
      };
    case "proxy":
      return {
        message: `The proxy did not let ${host} through${said}`,
        remedy: "Check the settings http.proxy, http.proxyAuthorization and http.noProxy.",
      };
    case "timeout":
      return {
        message: `${host} did not answer in time${said}`,
        remedy: "Try again; if it keeps happening, test the connection.",
      };
    case "aborted":
      return {
        message: `The request to ${host} was cancelled`,
        remedy: "Start it again if it is still needed.",
      };
    case "cut":
      return {
        message: `The connection to ${host} broke in the middle of an answer${said}`,
        remedy: "Attach again: what was received is kept.",
      };
    case "malformed":
      return {
        message: `${host} does not speak the expected protocol${said}`,
        remedy: "Check that the URL has the right scheme, port and path.",
      };
    case "invalid":
      return { message: `The request was not sent${said}`, remedy: "Correct it and send it again." };
    default:
      return {
        message: `${host} can't be reached${detail === undefined ? "" : `: ${detail}`}`,
        remedy: "Check your network, VPN and proxy, then try again.",
      };
  }
}

function answerWords(error: ApiError, host: string, said: string): Words {
  const target = `${host}${URL.parse(error.url)?.pathname ?? ""}`;
  switch (error.kind) {
    case "unauthorized":
      return { message: `${host} wants a valid API key${said}`, remedy: "Set the connection's API key." };
    case "missingPermission":
      return {
        message: `The API key lacks the permission ${error.permission ?? ""} for ${target}`,
        remedy: `Ask an administrator for the permission ${error.permission ?? ""}, or use a key that has it.`,
      };
    case "forbidden":
      return {
        message: `${host} refuses this API key${said}`,
        remedy: "Check that the key is valid and belongs to the connection's workspace.",
      };
    case "notFound":
      return {
        message: `${target} does not exist${said}`,
        remedy:
          "It may have been deleted elsewhere: refresh. If nothing is found, check the connection's URL.",
      };
    case "conflict":
      return {
        message: `${target} is in use${said}`,
        remedy: "Wait for the current run, stop it, or choose another strategy for concurrent runs.",
      };
    case "invalid":
      return {
        message: `${host} did not accept the request${said}`,
        remedy:
          error.fields === undefined
            ? "Correct the input and send it again."
            : `Correct ${fieldNames(error.fields)} and send it again.`,
      };
    case "tooLarge":
      return {
        message: `The request is too large for ${host}${said}`,
        remedy: "Send less: shorten the input or split it.",
      };
    case "rateLimited":
      return {
        message: `${host} limits the rate of requests${said}`,
        remedy:
          error.retryAfterMs === undefined
            ? "Wait a moment and try again."
            : `Try again in ${Math.ceil(error.retryAfterMs / 1000)} s.`,
      };
    case "redirected":
      return {
        message: `${target} leads elsewhere${said}`,
        remedy: "Set the connection's URL to the address it leads to, or sign in to the gateway in between.",
      };
    case "notJson":
      return {
        message: `${target} is no API of the agent platform${said}`,
        remedy: "Check the connection's URL and path: a sign-in page or a proxy may be answering.",
      };
    case "malformed":
      return {
        message: `${target} answered something else than expected${said}`,
        remedy: "Check that the URL is that of an agent server or platform, and its version.",
      };
    case "runFailed":
      return {
        message: `The run failed${said}`,
        remedy: "Look at the thread's state and the server's log, then run again.",
      };
    case "server":
    case "timeout":
      return {
        message: `${host} failed with status ${error.status ?? ""}${said}`,
        remedy: "Try again; if it keeps failing, look at the server's log.",
      };
    default:
      return connectionWords(error, host, said);
  }
}

function fieldNames(fields: readonly FieldError[]): string {
  const names = fields.map(({ loc }) => loc.filter((part) => part !== "body" && part !== "query").join("."));
  return [...new Set(names.filter((name) => name !== ""))].join(", ") || "the input";
}
