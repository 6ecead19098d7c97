/** What a person reads about a failed call, and what can be done about it: one table for every place that shows it. */

import { ApiError, type ErrorKind, type FieldError } from "./errors.ts";

/** What a person can do about a failure; each place that shows it has its own way to do it. */
export type RemedyAction =
  /** Asks again for what failed: a list refreshes, a panel loads, a command runs once more. */
  | "retry"
  | "setApiKey"
  | "editConnection"
  | "testConnection"
  | "addConnection"
  | "startLocalPlatform"
  | "startGraphs"
  | "createDeployment"
  | "registerToolServer"
  | "createDestination"
  | "exportTraces"
  | "addSubscription"
  | "trustWorkspace"
  | "openReceiverPort"
  | "showGraphLog"
  | "showLog";

/** What a person reads about a failure, wherever it is shown. */
export interface Advice {
  /** What happened to what. */
  readonly message: string;
  /** What to do now. */
  readonly remedy: string;
  /** The remedy as buttons, the most helpful first. */
  readonly actions: readonly RemedyAction[];
  /** What keeps everything of the connection from working; undefined where only this call failed. */
  readonly blockedBy?: "key" | "network" | "stopped";
}

/** The advice for a failed call, and for any error that brings none; holds no header value, token or feedback URL. */
export function wordsFor(error: unknown): Advice {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message, remedy: "Try again; the log has the details.", actions: ["retry", "showLog"] };
  }
  const url = URL.parse(error.url);
  const host = url?.host ?? "The server";
  const id = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  // Looked at from where they begin: whoever sends many dots and spaces does not hold the editor up.
  const said = (error.detail === undefined ? "" : `: ${error.detail.replace(/(?<![.\s])[.\s]+$/, "")}`) + id;
  return advice[error.kind]({ error, host, target: host + (url?.pathname ?? ""), said });
}

/** Whether the server wants another key, or one at all. */
export function refusesKey(error: unknown): error is ApiError {
  return error instanceof ApiError && wordsFor(error).blockedBy === "key";
}

/** Whether who answered so, or did not, is out of order, and not only unable to do the one thing that was asked. */
export function isDown(error: unknown): error is ApiError {
  return error instanceof ApiError && (down.has(error.kind) || wordsFor(error).blockedBy !== undefined);
}

const down: ReadonlySet<ErrorKind> = new Set([
  ...(["tls", "proxy", "timeout", "redirected"] as const),
  ...(["notJson", "malformed", "cut", "server"] as const),
]);

interface Failure {
  readonly error: ApiError;
  readonly host: string;
  /** Host and path. */
  readonly target: string;
  /** What the server or network stack said, with its colon; may be empty. */
  readonly said: string;
}

const advice: Readonly<Record<ErrorKind, (failure: Failure) => Advice>> = {
  dns: ({ host }) => ({
    message: `The name of ${host} can't be resolved`,
    remedy: "Check the connection's address, your network and VPN.",
    actions: ["testConnection", "editConnection", "retry"],
    blockedBy: "network",
  }),
  refused: ({ host }) => ({
    message: `Nothing listens at ${host}`,
    remedy: "Start the server, or correct the port in the connection's address.",
    actions: ["testConnection", "editConnection", "retry"],
    blockedBy: "network",
  }),
  unreachable: ({ host, said }) => ({
    message: `No way to reach ${host}${said}`,
    remedy: "Check your network, VPN and proxy, then try again.",
    actions: ["testConnection", "editConnection", "retry"],
    blockedBy: "network",
  }),
  tls: ({ error, host, said }) => ({
    message: `The certificate of ${host} was not accepted${said}`,
    remedy: certificateRemedy(error.cause),
    actions: ["testConnection", "retry"],
  }),
  proxy: ({ host, said }) => ({
    message: `The proxy did not let the request to ${host} through${said}`,
    remedy: "Check the settings http.proxy, http.proxyAuthorization and http.noProxy.",
    actions: ["testConnection", "retry"],
  }),
  timeout: ({ host, said }) => ({
    message: `No answer in time from ${host}${said}`,
    remedy: "Try again; if it keeps happening, test the connection.",
    actions: ["retry", "testConnection"],
  }),
  aborted: ({ host }) => ({
    message: `The request to ${host} was cancelled`,
    remedy: "Start it again if it is still needed.",
    actions: ["retry"],
  }),
  redirected: ({ target, said }) => ({
    message: `${target} leads elsewhere${said}`,
    remedy: "Set the connection's address to where it leads, or sign in to the gateway in between.",
    actions: ["editConnection", "testConnection", "retry"],
  }),
  unauthorized: ({ host, said }) => ({
    message: `A valid API key is needed at ${host}${said}`,
    remedy: "Set the connection's API key.",
    actions: ["setApiKey", "testConnection"],
    blockedBy: "key",
  }),
  forbidden: ({ host, said }) => ({
    message: `The API key was refused by ${host}${said}`,
    remedy: "Check that the key is valid and belongs to the connection's workspace.",
    actions: ["setApiKey", "testConnection"],
    blockedBy: "key",
  }),
  missingPermission: ({ error: { permission = "that it needs" }, target }) => ({
    message: `The API key lacks the permission ${permission} for ${target}`,
    remedy: `Ask an administrator for the permission ${permission}, or use a key that has it.`,
    actions: ["setApiKey", "retry"],
  }),
  notFound: ({ error, host, target, said }) => ({
    // When the server sent a detail, that already says what does not exist.
    message: error.detail === undefined ? `${target} does not exist${said}` : `${host} answered${said}`,
    remedy: "Refresh, since it may have been deleted elsewhere, or check the connection's address.",
    actions: ["retry", "editConnection"],
  }),
  unsupported: ({ host, said }) => ({
    message: `${host} does not support this${said}`,
    remedy: "Use the web console for it, or update the platform.",
    actions: ["testConnection"],
  }),
  conflict: ({ target, said }) =>
    /\/runs\b|busy|running|in progress/.test(target + said)
      ? {
          message: `${target} is in use${said}`,
          remedy: "Wait for the current run, stop it, or choose another strategy for concurrent runs.",
          actions: ["retry"],
        }
      : {
          message: `${target} refuses this in its present state${said}`,
          remedy: "Refresh to see its state, and remove what is in the way.",
          actions: ["retry"],
        },
  invalid: ({ error, host, said }) => ({
    message:
      error.status === undefined
        ? `The request was not sent${said}`
        : `${host} did not accept the request${said}`,
    remedy: `Correct ${fieldNames(error.fields ?? [])} and send it again.`,
    actions: ["retry", "showLog"],
  }),
  tooLarge: ({ host, said }) => ({
    message: `The request is too large for ${host}${said}`,
    remedy: "Send less: shorten the input or split it.",
    actions: ["retry", "showLog"],
  }),
  answerTooLarge: ({ target, said }) => ({
    message: `${target} sent too much${said}`,
    remedy: "Ask for less, with a filter or for a smaller thread, or look at what the server sends.",
    actions: ["retry", "showLog"],
  }),
  rateLimited: ({ error: { retryAfterMs }, host, said }) => ({
    message: `${host} limits the rate of requests${said}`,
    remedy: `Try again in ${retryAfterMs === undefined ? "a moment" : `${Math.ceil(retryAfterMs / 1000)} s`}.`,
    actions: ["retry"],
  }),
  server: ({ error, host, said }) => ({
    message: `${host} failed with status ${error.status ?? "unknown"}${said}`,
    remedy: "Try again; if it keeps failing, look at the server's log.",
    actions: ["retry", "showLog"],
  }),
  notJson: ({ target, said }) => ({
    message: `${target} is no API of the agent platform${said}`,
    remedy: "Check the connection's address and path: a sign-in page or a proxy may be answering.",
    actions: ["editConnection", "testConnection", "retry"],
  }),
  malformed: ({ target, said }) => ({
    message: `${target} sent something that can't be understood${said}`,
    remedy:
      "Check the scheme, port and path of the connection's address, and whether a gateway changes the answers.",
    actions: ["editConnection", "testConnection", "retry"],
  }),
  cut: ({ host, said }) => ({
    message: `The connection to ${host} broke in the middle of an answer${said}`,
    remedy: "Try again or attach again: what was received is kept.",
    actions: ["retry"],
  }),
  runFailed: ({ said }) => ({
    message: `The run failed${said}`,
    remedy: "Look at the thread's state and the server's log, then run again.",
    actions: ["retry", "showLog"],
  }),
};

function certificateRemedy(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "CERT_HAS_EXPIRED") return "Ask the server's operator to renew its certificate.";
  if (code === "CERT_NOT_YET_VALID") return "Set this machine's clock.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "Use a name that the certificate is for in the connection's address.";
  return "Add the issuing authority to the system's trusted certificates, or name its file in NODE_EXTRA_CA_CERTS and restart the editor.";
}

function fieldNames(fields: readonly FieldError[]): string {
  const names = fields.map(({ loc }) => loc.filter((part) => part !== "body" && part !== "query").join("."));
  return [...new Set(names.filter((name) => name !== ""))].join(", ") || "the input";
}
