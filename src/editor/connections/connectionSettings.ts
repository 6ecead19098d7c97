/** Reads the setting `agentOperations.connections` as a person may have typed it; no vscode in here. */

import { isObject } from "../../api/shape.ts";
import type { RemedyAction } from "../../api/advice.ts";
import { RemediableError } from "../kit/remedies.ts";
import { oneLine } from "../kit/words.ts";
import type { Connection, ConnectionColor, ConnectionKind, ConnectionSetting } from "./connection.ts";

/** Those that can stand in the settings. */
const CONNECTION_KINDS: readonly ConnectionKind[] = ["platform", "agentServer", "protocol", "localPlatform"];

/** The colors that a connection can have. */
export const COLORS: readonly ConnectionColor[] = ["red", "orange", "yellow", "green", "blue", "purple"];

/** Why a connection can't be used. */
export type ConnectionReason =
  | "unknown"
  | "invalidEntry"
  | "duplicateId"
  | "unknownKind"
  | "invalidUrl"
  | "forbiddenHeader"
  | "environmentMissing"
  | "controlPlaneMissing"
  | "serverMissing"
  | "silent"
  | "localPlatformStopped"
  | "graphsStopped";

const edit: readonly RemedyAction[] = ["editConnection", "retry"];

const actions: Readonly<Record<ConnectionReason, readonly RemedyAction[]>> = {
  unknown: [],
  invalidEntry: edit,
  duplicateId: edit,
  unknownKind: edit,
  invalidUrl: edit,
  forbiddenHeader: edit,
  environmentMissing: edit,
  controlPlaneMissing: edit,
  serverMissing: edit,
  silent: ["testConnection", "editConnection"],
  localPlatformStopped: ["startLocalPlatform", "retry"],
  graphsStopped: ["startGraphs", "showGraphLog"],
};

/** A connection can't be used as it stands in the settings; `message` says why and `remedy` what to do. */
export class ConnectionError extends RemediableError {
  override readonly name = "ConnectionError";
  readonly reason: ConnectionReason;

  constructor(reason: ConnectionReason, message: string, remedy: string) {
    super(message, {
      remedy,
      actions: actions[reason],
      ...(reason === "localPlatformStopped" && { blockedBy: "stopped" as const }),
    });
    this.reason = reason;
  }

  /** Whether it may work again later, although nobody edits the connection. */
  get isTransient(): boolean {
    return this.reason === "localPlatformStopped" || this.reason === "graphsStopped";
  }
}

/** One entry of the setting: what can be shown of it, and what keeps it from being used. */
export interface ConnectionEntry {
  readonly setting: ConnectionSetting;
  /** The entry as it was typed, so that writing the setting back loses nothing. */
  readonly raw: unknown;
  readonly problem?: ConnectionError;
}

/** All entries in order; a broken one is kept with its problem, and the others stay usable. */
export function readConnections(value: unknown): readonly ConnectionEntry[] {
  const seen = new Set<string>();
  return (Array.isArray(value) ? value : []).map((raw: unknown, index) => {
    const { setting, problem } = readEntry(raw, index);
    if (!seen.has(setting.id)) {
      seen.add(setting.id);
      return problem === undefined ? { setting, raw } : { setting, raw, problem };
    }
    const duplicate = new ConnectionError(
      "duplicateId",
      `Two connections have the ID “${setting.id}”.`,
      "Give each connection in the settings its own ID.",
    );
    return { setting: { ...setting, id: `${setting.id}#${String(index + 1)}` }, raw, problem: duplicate };
  });
}

/** What is wrong with an address, in words for the input box; undefined when it can be used. */
export function urlProblem(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return "Enter an address, for example http://localhost:2024.";
  if (!URL.canParse(trimmed)) return `“${trimmed}” is not an address. It starts with http:// or https://.`;
  const url = new URL(trimmed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "Use an http:// or https:// address.";
  if (url.username !== "" || url.password !== "") return "Leave user name and password out of the address.";
  if (url.search !== "" || url.hash !== "") return "Leave everything from ? or # out of the address.";
  return undefined;
}

/** What is wrong with an extra header, in words for the input box; undefined when it can be sent. */
export function headerProblem(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower)) return `“${name}” is not a header name.`;
  if (/[\r\n\0]/.test(value)) return `The value of “${name}” has a line break.`;
  if (lower === "x-api-key") return `API keys don't go into headers. Use “Agents: Set API Key”.`;
  if (lower === "x-tenant-id") return "Enter the workspace ID as the connection's workspace instead.";
  if (TRANSPORT_HEADERS.has(lower)) return `“${name}” is set by the request itself.`;
  if (!carriesSecret(lower) || /\$\{env:[^}]+\}/.test(value)) return undefined;
  return `“${name}” carries a secret, and settings are no place for one. Use “Agents: Set API Key”, or \${env:NAME} as the value.`;
}

/** The headers as they are sent: `${env:NAME}` replaced, at the time of the request. */
export function resolveHeaders(
  headers: ConnectionSetting["headers"],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{env:([^}]+)\}/g, (_, variable: string) => {
        const found = environment[variable];
        if (found !== undefined) return found;
        throw new ConnectionError(
          "environmentMissing",
          `The header “${name}” needs the environment variable ${variable}, which is not set.`,
          `Set ${variable} where the editor starts and restart it, or change the header.`,
        );
      }),
    ]),
  );
}

/** An address as it is meant: one on this machine needs no http:// in front. */
export function meantAddress(typed: string): string {
  const text = typed.trim();
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|[\w-]+\.localhost)(:\d+)?(\/|$)/i.test(text);
  return isHere ? `http://${text}` : text;
}

/** An address without its trailing slashes, ready for a path to be added. */
export function withoutTrailingSlash(url: string): string {
  return url.trim().replace(/\/+$/, "");
}

/** The origins of all addresses that a person typed for a connection: a key is entered for all of them at once. */
export function originsOf(setting: ConnectionSetting | Connection): readonly string[] {
  const urls = [setting.url, setting.controlPlaneUrl, ...(setting.agentServers ?? []).map(({ url }) => url)];
  const origins = urls.flatMap((url) => URL.parse(url ?? "")?.origin ?? []);
  return [...new Set(origins)];
}

const TRANSPORT_HEADERS = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
]);

function carriesSecret(name: string): boolean {
  return /^(proxy-)?authorization$|cookie|secret|password|token|api-?key/.test(name);
}

function readEntry(raw: unknown, index: number): { setting: ConnectionSetting; problem?: ConnectionError } {
  const entry: Readonly<Record<string, unknown>> = isObject(raw) ? raw : {};
  const position = `Connection ${String(index + 1)} in the settings`;
  const id = typeof entry["id"] === "string" ? entry["id"].trim() : "";
  const name = typeof entry["name"] === "string" && entry["name"].trim() !== "" ? entry["name"].trim() : id;
  const kind = CONNECTION_KINDS.find((known) => known === entry["kind"]);
  const setting: ConnectionSetting = {
    id: id === "" ? `#${String(index + 1)}` : id,
    name: oneLine(name) === "" ? position : oneLine(name),
    kind: kind ?? "agentServer",
    ...(typeof entry["url"] === "string" ? { url: withoutTrailingSlash(entry["url"]) } : {}),
    ...(typeof entry["controlPlaneUrl"] === "string" && entry["controlPlaneUrl"] !== ""
      ? { controlPlaneUrl: withoutTrailingSlash(entry["controlPlaneUrl"]) }
      : {}),
    ...(Array.isArray(entry["agentServers"]) ? { agentServers: readServers(entry["agentServers"]) } : {}),
    ...(typeof entry["workspaceId"] === "string" && entry["workspaceId"] !== ""
      ? { workspaceId: entry["workspaceId"] }
      : {}),
    ...(entry["dialect"] === "langsmith" ? { dialect: "langsmith" as const } : {}),
    ...(entry["auth"] === "bearer" ? { auth: "bearer" as const } : {}),
    ...readProtection(entry["protected"]),
    ...(isColor(entry["color"]) ? { color: entry["color"] } : {}),
    ...(typeof entry["consoleUrl"] === "string" && entry["consoleUrl"] !== ""
      ? { consoleUrl: withoutTrailingSlash(entry["consoleUrl"]) }
      : {}),
    ...(isObject(entry["headers"]) ? { headers: readHeaders(entry["headers"]) } : {}),
  };
  const problem =
    id === ""
      ? new ConnectionError("invalidEntry", `${position} has no ID.`, "Give it an ID, a name and a kind.")
      : kind === undefined
        ? unknownKind(setting.name, entry["kind"])
        : settingProblem(setting);
  return problem === undefined ? { setting } : { setting, problem };
}

/** `true` asks for a word; a typing error never turns the protection off. */
function readProtection(value: unknown): Pick<ConnectionSetting, "protected"> {
  if (value === undefined || value === false) return {};
  return { protected: value === "click" || value === "nothing" ? value : "word" };
}

function isColor(value: unknown): value is ConnectionColor {
  return COLORS.some((color) => color === value);
}

function unknownKind(name: string, kind: unknown): ConnectionError {
  const shown = typeof kind === "string" ? `the kind “${kind}”, which is not known` : "no kind";
  return new ConnectionError(
    "unknownKind",
    `“${name}” has ${shown}.`,
    `Use one of: ${CONNECTION_KINDS.join(", ")}.`,
  );
}

function settingProblem(setting: ConnectionSetting): ConnectionError | undefined {
  const servers = (setting.agentServers ?? []).map(({ url }) => url);
  const required = setting.kind === "localPlatform" ? [] : [setting.url ?? ""];
  const optional = [setting.controlPlaneUrl, setting.consoleUrl].filter((url) => url !== undefined);
  for (const url of [...required, ...optional, ...servers]) {
    const problem = urlProblem(url);
    if (problem !== undefined) {
      return new ConnectionError(
        "invalidUrl",
        `“${setting.name}”: ${problem}`,
        "Edit the connection and correct the address.",
      );
    }
  }
  for (const [name, value] of Object.entries(setting.headers ?? {})) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) {
      return new ConnectionError(
        "forbiddenHeader",
        `“${setting.name}”: ${problem}`,
        "Edit the connection's headers.",
      );
    }
  }
  return undefined;
}

function readServers(list: readonly unknown[]): { name: string; url: string }[] {
  return list.filter(isObject).map(({ name, url }) => {
    const address = typeof url === "string" ? withoutTrailingSlash(url) : "";
    return { name: typeof name === "string" && name !== "" ? name : address, url: address };
  });
}

function readHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
