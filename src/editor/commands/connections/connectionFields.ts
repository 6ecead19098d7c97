/** The fields of a connection: how each is asked for, how it reads in the summary and what is saved of it. */

import type { ConnectionKind, ConnectionSetting } from "../../connections/connection.ts";
import {
  headerProblem,
  meantAddress,
  originsOf,
  urlProblem,
  withoutTrailingSlash,
} from "../../connections/connectionSettings.ts";
import { environmentReference, keyProblem } from "../../connections/apiKeys.ts";
import { AUTH_NAMES, type Draft, isKeyElsewhere, KIND_NAMES } from "./connectionDraft.ts";
import { colorField, protectionField } from "./protectionFields.ts";
import { parseHeaders, parseServers, writeHeaders, writeServers } from "./connectionText.ts";
import { choiceField, decisive, type FormField, textField } from "../../kit/ask/form.ts";
import { capitalized } from "../../kit/words.ts";

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
  | "color"
  | "auth"
  | "key";

const remote: readonly ConnectionKind[] = ["platform", "agentServer", "protocol"];

/** The kinds of connections that have a field. */
export const KINDS_WITH: Readonly<Record<Field, readonly ConnectionKind[]>> = {
  kind: remote,
  url: remote,
  controlPlaneUrl: ["platform"],
  agentServers: ["platform"],
  name: [...remote, "localPlatform"],
  workspaceId: ["platform", "agentServer"],
  dialect: ["platform"],
  headers: remote,
  consoleUrl: ["platform"],
  protected: [...remote, "localPlatform"],
  color: [...remote, "localPlatform"],
  auth: remote,
  key: remote,
};

const kindField: FormField<Draft> = choiceField("Kind", "kind", {
  placeholder: "What do you connect to?",
  choices: [
    {
      value: "agentServer",
      label: "$(server) Agent server",
      detail: "A single one, for example the server that you develop on localhost.",
    },
    {
      value: "platform",
      label: "$(cloud) Platform",
      detail: "A hosted or self-hosted platform with deployments and managed agents.",
    },
    {
      value: "protocol",
      label: "$(comment-discussion) Chat backend",
      detail: "A backend that speaks the streaming protocol under /api/threads.",
    },
    {
      value: "localPlatform",
      label: "$(vm) Local Platform",
      detail: "Everything on this machine, with no account and no network.",
    },
  ],
});

/** Every field, in the order of the summary. */
export const FIELDS: Readonly<Record<Field, FormField<Draft>>> = {
  kind: { ...kindField, ask: decisive(kindField.ask) },
  url: textField(
    "Address",
    {
      get: ({ kind, url }) => url ?? (kind === "agentServer" ? "http://localhost:2024" : "https://"),
      set: (draft, url) => ({ ...draft, url: withoutTrailingSlash(meantAddress(url)) }),
    },
    ({ kind }) => ({
      prompt: kind === "platform" ? "Address of the platform's main API host." : "Address of the server.",
      placeholder: "https://agents.example.com",
      problem: (typed) => urlProblem(meantAddress(typed)),
      warning: (typed) => unencrypted(meantAddress(typed)),
    }),
  ),
  controlPlaneUrl: textField(
    "Control plane",
    {
      get: ({ controlPlaneUrl = "" }) => controlPlaneUrl,
      set: (draft, url) => ({ ...draft, controlPlaneUrl: withoutTrailingSlash(meantAddress(url)) }),
    },
    {
      prompt: "Address of the platform's control plane. Leave it empty if you don't use it.",
      placeholder: "https://api.host.example.com",
      problem: (typed) => (typed === "" ? undefined : urlProblem(meantAddress(typed))),
    },
  ),
  agentServers: textField(
    "Agent servers",
    {
      get: ({ agentServers = [] }) => writeServers(agentServers),
      set: (draft, typed) => ({ ...draft, agentServers: parseServers(typed) }),
    },
    {
      prompt: "Agent servers of your deployments: Name = address, separated by commas. May stay empty.",
      placeholder: "Support = https://support.example.com, https://other.example.com",
      problem: (typed) => firstProblem(parseServers(typed).map(({ url }) => urlProblem(url))),
    },
  ),
  name: textField(
    "Name",
    {
      get: (draft) => (draft.name === "" ? suggestedName(draft) : draft.name),
      set: (draft, name) => ({ ...draft, name }),
    },
    {
      prompt: "What the views call this connection.",
      problem: (typed) => (typed === "" ? "Enter a name." : undefined),
    },
  ),
  workspaceId: textField(
    "Workspace",
    "workspaceId",
    {
      prompt: "ID of the workspace (tenant) to work in. Leave it empty for the key's own.",
      problem: (typed) => (/^[\x21-\x7e]*$/.test(typed) ? undefined : "A workspace ID has no spaces."),
    },
    { show: ({ workspaceId }) => workspaceId || "the key's own" },
  ),
  dialect: choiceField(
    "Dialect",
    "dialect",
    {
      placeholder: "Which spelling does the platform speak?",
      choices: [
        { value: "standard", label: "Standard", detail: "The platform's interface as it is specified." },
        { value: "langsmith", label: "LangSmith", detail: "The spelling of the hosted product." },
      ],
    },
    { show: ({ dialect = "standard" }) => dialect },
  ),
  headers: textField(
    "Extra headers",
    {
      get: ({ headers = {} }) => writeHeaders(headers),
      set: (draft, typed) => ({ ...draft, headers: parseHeaders(typed) }),
    },
    {
      prompt:
        "Sent with each request: Name: value, separated by semicolons. ${env:NAME} stands for an environment variable.",
      placeholder: "X-Team: operations; X-Gateway: ${env:GATEWAY}",
      problem: (typed) =>
        firstProblem(Object.entries(parseHeaders(typed)).map(([name, value]) => headerProblem(name, value))),
    },
  ),
  consoleUrl: textField(
    "Web console",
    {
      get: ({ consoleUrl = "" }) => consoleUrl,
      set: (draft, url) => ({ ...draft, consoleUrl: withoutTrailingSlash(url) }),
    },
    {
      prompt: "Where you open the platform in a browser. Leave it empty to derive it from the address.",
      placeholder: "https://platform.example.com",
      problem: (typed) => (typed === "" ? undefined : urlProblem(typed)),
    },
    { show: ({ consoleUrl }) => consoleUrl || "derived from the address" },
  ),
  protected: protectionField,
  color: colorField,
  auth: choiceField(
    "Authentication",
    { get: ({ auth = "apiKey" }) => auth, set: (draft, auth) => ({ ...draft, auth }) },
    {
      placeholder: "What do you sign in with?",
      choices: [
        { value: "apiKey", label: AUTH_NAMES.apiKey, detail: "Sent as X-Api-Key." },
        {
          value: "bearer",
          label: AUTH_NAMES.bearer,
          detail: "Sent as Authorization: Bearer. Platforms want the workspace with it.",
        },
      ],
    },
  ),
  key: textField(
    "Key or token",
    "key",
    (draft) => {
      const origins = originsOf({ id: "", ...draft }).join(", ");
      const kept = draft.keyOrigins.length > 0 && !isKeyElsewhere(draft);
      return {
        prompt: `Sent to ${origins} only. ${kept ? "Leave it empty to keep what is stored." : "Leave it empty if the server asks for none."}`,
        placeholder: `${AUTH_NAMES[draft.auth ?? "apiKey"]}, or \${env:NAME} for an environment variable`,
        secret: true,
        problem: keyProblem,
      };
    },
    { show: showKey },
  ),
};

/** What is saved of a draft: only what its kind has and what is not empty. */
export function settingOf(draft: Draft): Omit<ConnectionSetting, "id"> {
  const { kind, name, url, controlPlaneUrl, agentServers, workspaceId, dialect, headers, consoleUrl } = draft;
  const has = (field: Field): boolean => KINDS_WITH[field].includes(kind);
  return {
    name,
    kind,
    ...(has("url") && url !== undefined ? { url } : {}),
    ...(has("controlPlaneUrl") && controlPlaneUrl ? { controlPlaneUrl } : {}),
    ...(has("agentServers") && agentServers !== undefined && agentServers.length > 0 ? { agentServers } : {}),
    ...(has("workspaceId") && workspaceId ? { workspaceId } : {}),
    ...(has("dialect") && dialect !== undefined && dialect !== "standard" ? { dialect } : {}),
    ...(has("consoleUrl") && consoleUrl ? { consoleUrl } : {}),
    ...(draft.protected === undefined ? {} : { protected: draft.protected }),
    ...(draft.color === undefined ? {} : { color: draft.color }),
    ...(has("auth") && draft.auth === "bearer" ? { auth: "bearer" as const } : {}),
    ...(has("headers") && headers !== undefined && Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

function firstProblem(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
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

/** The address stands beside the name in each row: the name says something else. */
function suggestedName({ kind, url = "" }: Draft): string {
  const address = URL.parse(url);
  if (address === null) return KIND_NAMES[kind];
  const { hostname, port } = address;
  const isNumeric = /^[\d.]+$|^\[/.test(hostname);
  if (isNumeric || hostname === "localhost") return [KIND_NAMES[kind], port].join(" ").trim();
  const [name = ""] = hostname.split(".").slice(-2);
  return capitalized(name);
}

function showKey(draft: Draft): string {
  const typed = draft.key ?? "";
  const variable = environmentReference(typed);
  if (variable !== undefined) return `from the environment variable ${variable}`;
  if (typed !== "") return "as typed";
  if (draft.keyOrigins.length === 0) return "none";
  return isKeyElsewhere(draft) ? "to be entered again for the new address" : "as stored";
}
