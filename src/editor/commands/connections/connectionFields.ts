/** The fields of a connection: how each is asked for, how it reads in the summary and what is saved of it. */

import type { ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import {
  headerProblem,
  originsOf,
  urlProblem,
  withoutTrailingSlash,
} from "../../connections/connectionSettings.ts";
import { environmentReference, keyProblem } from "../../connections/apiKeys.ts";
import { AUTH_NAMES, isKeyElsewhere, KIND_NAMES } from "./connectionDraft.ts";
import type { Draft } from "./connectionDraft.ts";
import { parseHeaders, parseServers, writeHeaders, writeServers } from "./connectionText.ts";
import type { FormField } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Place } from "../../kit/ask/steps.ts";

/** The name of a field of a connection. */
export type Field =
  | "kind"
  | "url"
  | "controlPlaneUrl"
  | "agentServers"
  | "name"
  | "workspaceId"
  | "dialect"
  | "headers"
  | "consoleUrl"
  | "protected"
  | "auth"
  | "key";

/** A field, and the kinds of connections that have it. */
export interface ConnectionField extends FormField<Draft> {
  readonly kinds: readonly ConnectionKind[];
}

const remote: readonly ConnectionKind[] = ["platform", "agentServer", "protocol"];

/** Every field, in the order of the summary. */
export const FIELDS: Readonly<Record<Field, ConnectionField>> = {
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
  consoleUrl: {
    label: "Web console",
    kinds: ["platform"],
    ask: (place, draft) =>
      text(place, draft, "consoleUrl", {
        prompt: "Where you open the platform in a browser. Leave it empty to have it told from the address.",
        placeholder: "https://platform.example.com",
        problem: (typed) => (typed === "" ? undefined : urlProblem(typed)),
      }),
    show: ({ consoleUrl = "" }) => consoleUrl || "as the address tells",
  },
  protected: {
    label: "Protection",
    kinds: ["platform", "localPlatform"],
    ask: askProtected,
    show: (draft) => (draft.protected === true ? "on: dangerous commands ask for the name" : "off"),
  },
  auth: {
    label: "Authentication",
    kinds: remote,
    ask: askAuth,
    show: ({ auth }) => AUTH_NAMES[auth ?? "apiKey"],
  },
  key: { label: "Key or token", kinds: remote, ask: askKey, show: showKey },
};

/** What is saved of a draft: only what its kind has and what is not empty. */
export function settingOf(draft: Draft): Omit<ConnectionSetting, "id"> {
  const { kind, name, url, controlPlaneUrl, agentServers, workspaceId, dialect, headers, consoleUrl } = draft;
  const has = (field: Field): boolean => FIELDS[field].kinds.includes(kind);
  return {
    name,
    kind,
    ...(has("url") && url !== undefined ? { url } : {}),
    ...(has("controlPlaneUrl") && controlPlaneUrl ? { controlPlaneUrl } : {}),
    ...(has("agentServers") && agentServers !== undefined && agentServers.length > 0 ? { agentServers } : {}),
    ...(has("workspaceId") && workspaceId ? { workspaceId } : {}),
    ...(has("dialect") && dialect !== undefined && dialect !== "standard" ? { dialect } : {}),
    ...(has("consoleUrl") && consoleUrl ? { consoleUrl } : {}),
    ...(has("protected") && draft.protected === true ? { protected: true } : {}),
    ...(has("auth") && draft.auth === "bearer" ? { auth: "bearer" as const } : {}),
    ...(has("headers") && headers !== undefined && Object.keys(headers).length > 0 ? { headers } : {}),
  };
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

async function askProtected(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const choices = [
    { value: false, label: "Off", detail: "Deleting asks once; redeploying and changing go ahead." },
    {
      value: true,
      label: "$(shield) On",
      detail: "For production: deleting, redeploying and changing a deployment ask for its name.",
    },
  ];
  const active = draft.protected ?? false;
  const answer = await askChoice(place, choices, { placeholder: "Is this production?", active });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, protected: answer.value } } : answer;
}

async function askAuth(place: Place, draft: Draft): Promise<Answer<Draft>> {
  const choices = [
    { value: "apiKey" as const, label: AUTH_NAMES.apiKey, detail: "Sent as X-Api-Key." },
    {
      value: "bearer" as const,
      label: AUTH_NAMES.bearer,
      detail: "Sent as Authorization: Bearer. Platforms want the workspace with it.",
    },
  ];
  const active = draft.auth ?? "apiKey";
  const answer = await askChoice(place, choices, { placeholder: "What do you sign in with?", active });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, auth: answer.value } } : answer;
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
    prompt: `Sent to ${origins} only. ${kept ? "Leave it empty to keep what is stored." : "Leave it empty if the server asks for none."}`,
    placeholder: `${AUTH_NAMES[draft.auth ?? "apiKey"]}, or \${env:NAME} for an environment variable`,
    value: draft.key ?? "",
    secret: true,
    problem: keyProblem,
  });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, key: answer.value } } : answer;
}

async function text(
  place: Place,
  draft: Draft,
  field: "url" | "controlPlaneUrl" | "consoleUrl" | "name" | "workspaceId",
  question: Omit<Parameters<typeof askText>[1], "value">,
): Promise<Answer<Draft>> {
  const answer = await askText(place, { ...question, value: draft[field] ?? "" });
  if (answer.kind !== "next") return answer;
  const value = field.endsWith("rl") ? withoutTrailingSlash(answer.value) : answer.value;
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
