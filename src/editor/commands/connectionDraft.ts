/** A connection while a person fills it in: its fields, how each is asked for and how it reads in the summary. */

import type { ConnectionKind, ConnectionSetting } from "../connection.ts";
import { headerProblem, originsOf, urlProblem, withoutTrailingSlash } from "../connectionSettings.ts";
import { environmentReference, keyProblem } from "../apiKeys.ts";
import { askChoice, askText } from "./steps.ts";
import type { Answer, Place } from "./steps.ts";

export interface Draft extends Omit<ConnectionSetting, "id"> {
  /** The key as it was typed, "" for none; undefined while it was not asked for. */
  readonly key?: string;
  /** The origins that secret storage holds a key for. */
  readonly keyOrigins: readonly string[];
}

export type Field =
  | "kind"
  | "url"
  | "controlPlaneUrl"
  | "agentServers"
  | "name"
  | "workspaceId"
  | "dialect"
  | "headers"
  | "key";

export interface FieldForm {
  readonly label: string;
  readonly kinds: readonly ConnectionKind[];
  ask(place: Place, draft: Draft): Promise<Answer<Draft>>;
  /** One line for the summary. */
  show(draft: Draft): string;
}

const remote: readonly ConnectionKind[] = ["platform", "agentServer", "protocol"];

export const KIND_NAMES: Readonly<Record<ConnectionKind, string>> = {
  platform: "Platform",
  agentServer: "Agent server",
  protocol: "Chat backend",
  localPlatform: "Local Platform",
};

export const FIELDS: Readonly<Record<Field, FieldForm>> = {
  kind: { label: "Kind", kinds: remote, ask: askKind, show: ({ kind }) => KIND_NAMES[kind] },
  url: { label: "Address", kinds: remote, ask: askUrl, show: ({ url }) => url ?? "" },
  controlPlaneUrl: {
    label: "Control plane",
    kinds: ["platform"],
    ask: (place, draft) =>
      text(place, draft, "controlPlaneUrl", {
        prompt: "Address of the platform's control plane. Leave it empty if you don't use it.",
        placeholder: "https://api.host.example.com",
        problem: (typed) => (typed === "" ? undefined : urlProblem(typed)),
      }),
    show: ({ controlPlaneUrl = "" }) => controlPlaneUrl || "none",
  },
  agentServers: {
    label: "Agent servers",
    kinds: ["platform"],
    ask: askAgentServers,
    show: ({ agentServers = [] }) => (agentServers.length === 0 ? "none" : writeServers(agentServers)),
  },
  name: {
    label: "Name",
    kinds: [...remote, "localPlatform"],
    ask: (place, draft) =>
      text(place, { ...draft, name: draft.name === "" ? suggestedName(draft) : draft.name }, "name", {
        prompt: "What the views call this connection.",
        problem: (typed) => (typed === "" ? "Enter a name." : undefined),
      }),
    show: ({ name }) => name,
  },
  workspaceId: {
    label: "Workspace",
    kinds: ["platform", "agentServer"],
    ask: (place, draft) =>
      text(place, draft, "workspaceId", {
        prompt: "Id of the workspace (tenant) to work in. Leave it empty for the key's own.",
        problem: (typed) => (/^[\x21-\x7e]*$/.test(typed) ? undefined : "A workspace id has no spaces."),
      }),
    show: ({ workspaceId = "" }) => workspaceId || "the key's own",
  },
  dialect: {
    label: "Dialect",
    kinds: ["platform"],
    ask: askDialect,
    show: ({ dialect }) => dialect ?? "standard",
  },
  headers: {
    label: "Extra headers",
    kinds: remote,
    ask: askHeaders,
    show: ({ headers = {} }) => writeHeaders(headers) || "none",
  },
  key: { label: "API key", kinds: remote, ask: askKey, show: showKey },
};

/** Whether the stored key is for other origins than the draft's: then it has to be entered again. */
export function isKeyElsewhere(draft: Draft): boolean {
  const { keyOrigins } = draft;
  return (
    keyOrigins.length > 0 && originsOf({ id: "", ...draft }).some((origin) => !keyOrigins.includes(origin))
  );
}

/** What is saved of a draft: only what its kind has and what is not empty. */
export function settingOf(draft: Draft): Omit<ConnectionSetting, "id"> {
  const { kind, name, url, controlPlaneUrl, agentServers, workspaceId, dialect, headers } = draft;
  const has = (field: Field): boolean => FIELDS[field].kinds.includes(kind);
  return {
    name,
    kind,
    ...(has("url") && url !== undefined ? { url } : {}),
    ...(has("controlPlaneUrl") && controlPlaneUrl ? { controlPlaneUrl } : {}),
    ...(has("agentServers") && agentServers !== undefined && agentServers.length > 0 ? { agentServers } : {}),
    ...(has("workspaceId") && workspaceId ? { workspaceId } : {}),
    ...(has("dialect") && dialect !== undefined && dialect !== "standard" ? { dialect } : {}),
    ...(has("headers") && headers !== undefined && Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

/** "Name = address, address" as a list; the address is the name of one without. */
export function parseServers(typed: string): { name: string; url: string }[] {
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const named = /^([^=]*[^=\s])\s*=\s*(.*)$/.exec(part);
      const url = withoutTrailingSlash(named?.[2] ?? part);
      return { name: named?.[1] ?? url, url };
    });
}

/** "Name: value; Name: value" as headers. */
export function parseHeaders(typed: string): Record<string, string> {
  const parts = typed.split(";").map((part) => part.trim());
  return Object.fromEntries(
    parts
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", ...value] = part.split(":");
        return [name.trim(), value.join(":").trim()];
      }),
  );
}

async function askKind(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const choices = [
    {
      value: "agentServer" as const,
      label: "$(server) Agent server",
      detail: "A single one, for example the server that you develop on localhost.",
    },
    {
      value: "platform" as const,
      label: "$(cloud) Platform",
      detail: "A hosted or self-hosted platform with deployments and managed agents.",
    },
    {
      value: "protocol" as const,
      label: "$(comment-discussion) Chat backend",
      detail: "A backend that speaks the streaming protocol under /api/threads.",
    },
    {
      value: "localPlatform" as const,
      label: "$(vm) Local Platform",
      detail: "Everything on this machine, with no account and no network.",
    },
  ];
  const answer = await askChoice(place, choices, {
    placeholder: "What do you connect to?",
    active: draft.kind,
  });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, kind: answer.value } } : answer;
}

function askUrl(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const start = draft.kind === "agentServer" ? "http://localhost:2024" : "https://";
  return text(place, { ...draft, url: draft.url ?? start }, "url", {
    prompt: draft.kind === "platform" ? "Address of the platform's main API host." : "Address of the server.",
    placeholder: "https://agents.example.com",
    problem: urlProblem,
    warning: unencrypted,
  });
}

async function askAgentServers(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const answer = await askText(place, {
    prompt: "Agent servers of your deployments: Name = address, separated by commas. May stay empty.",
    placeholder: "Support = https://support.example.com, https://other.example.com",
    value: writeServers(draft.agentServers ?? []),
    problem: (typed) =>
      parseServers(typed)
        .map(({ url }) => urlProblem(url))
        .find((problem) => problem !== undefined),
  });
  return answer.kind === "next"
    ? { kind: "next", value: { ...draft, agentServers: parseServers(answer.value) } }
    : answer;
}

async function askDialect(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const choices = [
    { value: "standard" as const, label: "Standard", detail: "The platform's interface as it is specified." },
    { value: "langsmith" as const, label: "LangSmith", detail: "The spelling of the hosted product." },
  ];
  const active = draft.dialect ?? "standard";
  const answer = await askChoice(place, choices, {
    placeholder: "Which spelling does the platform speak?",
    active,
  });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, dialect: answer.value } } : answer;
}

async function askHeaders(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const answer = await askText(place, {
    prompt:
      "Sent with each request: Name: value, separated by semicolons. ${env:NAME} stands for an environment variable.",
    placeholder: "X-Team: operations; X-Gateway: ${env:GATEWAY}",
    value: writeHeaders(draft.headers ?? {}),
    problem: (typed) =>
      Object.entries(parseHeaders(typed))
        .map(([name, value]) => headerProblem(name, value))
        .find((problem) => problem !== undefined),
  });
  return answer.kind === "next"
    ? { kind: "next", value: { ...draft, headers: parseHeaders(answer.value) } }
    : answer;
}

async function askKey(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const origins = originsOf({ id: "", ...draft }).join(", ");
  const kept = draft.keyOrigins.length > 0 && !isKeyElsewhere(draft);
  const answer = await askText(place, {
    prompt: `Sent to ${origins} only. ${kept ? "Leave it empty to keep the stored key." : "Leave it empty if the server asks for none."}`,
    placeholder: "API key, or ${env:NAME} for an environment variable",
    value: draft.key ?? "",
    secret: true,
    problem: keyProblem,
  });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, key: answer.value } } : answer;
}

async function text(
  place: Place,
  draft: Draft,
  field: "url" | "controlPlaneUrl" | "name" | "workspaceId",
  question: Omit<Parameters<typeof askText>[1], "value">,
): Promise<Answer<Draft>> {
  const answer = await askText(place, { ...question, value: draft[field] ?? "" });
  if (answer.kind !== "next") return answer;
  const value =
    field === "url" || field === "controlPlaneUrl" ? withoutTrailingSlash(answer.value) : answer.value;
  return { kind: "next", value: { ...draft, [field]: value } };
}

/** A key is worth a word of warning when anyone on the way can read it. */
function unencrypted(typed: string): string | undefined {
  if (!URL.canParse(typed)) return undefined;
  const { protocol, hostname } = new URL(typed);
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname) || hostname.endsWith(".localhost");
  return protocol === "http:" && !local
    ? "Not encrypted: an API key can be read on the way. Prefer https."
    : undefined;
}

function suggestedName({ kind, url }: Draft): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : KIND_NAMES[kind];
}

function showKey(draft: Draft): string {
  const typed = draft.key ?? "";
  const variable = environmentReference(typed);
  if (variable !== undefined) return `from the environment variable ${variable}`;
  if (typed !== "") return "as typed";
  if (draft.keyOrigins.length === 0) return "none";
  return isKeyElsewhere(draft) ? "to be entered again for the new address" : "as stored";
}

function writeServers(servers: readonly { readonly name: string; readonly url: string }[]): string {
  return servers.map(({ name, url }) => (name === url ? url : `${name} = ${url}`)).join(", ");
}

function writeHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ");
}
