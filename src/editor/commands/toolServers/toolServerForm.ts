/** The steps in which a tool server is registered or changed, ending in a summary where every field can be chosen. */

import type { ToolServerHeader } from "../../../api/managedAgents/toolServers.ts";
import {
  addressProblem,
  addressWarning,
  headerNameProblem,
  headerValueProblem,
  suggestedName,
} from "../../toolServers/toolServerDraft.ts";
import type { SignIn, ToolServerDraft } from "../../toolServers/toolServerDraft.ts";
import { askChoice, askText } from "../steps.ts";
import type { Answer, Place } from "../steps.ts";

type Field = "url" | "signIn" | "headers" | "name";

const labels: Readonly<Record<Field, string>> = {
  url: "Address",
  signIn: "Sign-in",
  headers: "Headers",
  name: "Name",
};
const signIns: Readonly<Record<SignIn, readonly [label: string, detail: string]>> = {
  none: ["None", "Anybody may use the tool server."],
  headers: ["Headers", "The platform sends headers, such as a token, with each request."],
  oauth: ["OAuth", "Each person agrees in a browser; the platform keeps the token."],
};

/** Asks step by step for a new tool server; undefined when the person gave up. */
export async function fillInToolServer(title: string): Promise<ToolServerDraft | undefined> {
  let draft: ToolServerDraft = { name: "", url: "", signIn: "none", headers: [] };
  for (let step = 0; ;) {
    const fields = fieldsOf(draft, ["url", "signIn", "headers", "name"]);
    const place = { title, step: step + 1, totalSteps: fields.length + 1, canGoBack: step > 0 };
    const field = fields[step];
    const answer: Answer<ToolServerDraft> =
      field === undefined ? await summary(place, draft, fields, "Register") : await ask(field, place, draft);
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "back") {
      step -= 1;
      continue;
    }
    draft = answer.value;
    if (field === undefined) return draft;
    step += 1;
  }
}

/** Shows a tool server for changes; its name stays for ever. Undefined when the person gave up. */
export async function changeToolServer(
  title: string,
  start: ToolServerDraft,
): Promise<ToolServerDraft | undefined> {
  const answer = await summary({ title }, start, ["url", "signIn"], "Save");
  return answer.kind === "next" ? answer.value : undefined;
}

/** Asks for one header: its name, then its value in a password box. */
export async function askHeader(place: Place, others: readonly string[]): Promise<Answer<ToolServerHeader>> {
  for (let key = ""; ;) {
    const named = await askText(place, {
      prompt: "Name of a header that the tool server gets with each request.",
      placeholder: "Authorization",
      value: key,
      problem: (text) => headerNameProblem(text, others),
    });
    if (named.kind !== "next") return named;
    key = named.value;
    const valued = await askHeaderValue({ ...place, canGoBack: true }, key);
    if (valued.kind !== "back") return valued.kind === "next" ? next({ key, value: valued.value }) : valued;
  }
}

/** Asks for a header's value, hidden as it is typed. */
export function askHeaderValue(place: Place, key: string): Promise<Answer<string>> {
  return askText(place, {
    prompt: `Value of ${key}. It is sent to the platform and kept nowhere else.`,
    secret: true,
    problem: headerValueProblem,
  });
}

function ask(field: Field, place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  switch (field) {
    case "url":
      return askUrl(place, draft);
    case "signIn":
      return askSignIn(place, draft);
    case "headers":
      return askHeaders(place, draft);
    case "name":
      return askName(place, draft);
    default:
      return field satisfies never;
  }
}

async function askUrl(place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  const answer = await askText(place, {
    prompt: "Address of the tool server (MCP over streamable HTTP).",
    placeholder: "https://tools.example.com/mcp",
    value: draft.url,
    problem: addressProblem,
    warning: addressWarning,
  });
  return answer.kind === "next" ? next({ ...draft, url: answer.value }) : answer;
}

async function askSignIn(place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  const choices = (Object.keys(signIns) as SignIn[]).map((value) => {
    const [label, detail] = signIns[value];
    return { value, label, detail };
  });
  const placeholder = "How does the platform sign in to the tool server?";
  const answer = await askChoice<SignIn>(place, choices, { placeholder, active: draft.signIn });
  return answer.kind === "next" ? next({ ...draft, signIn: answer.value }) : answer;
}

async function askName(place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  const answer = await askText(place, {
    prompt: "What the tool server is called. The name can't be changed later.",
    value: draft.name === "" ? suggestedName(draft.url) : draft.name,
    problem: (text) => (text === "" ? "Enter a name." : undefined),
  });
  return answer.kind === "next" ? next({ ...draft, name: answer.value }) : answer;
}

/** The first header is asked for at once; after that more can be added or taken away. */
async function askHeaders(place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  let headers = draft.headers;
  for (;;) {
    if (headers.length > 0) {
      const chosen = await chooseHeader(place, headers);
      if (chosen.kind !== "next") return chosen;
      if (chosen.value === "done") return next({ ...draft, headers });
      if (chosen.value !== "add") {
        headers = headers.filter(({ key }) => key !== chosen.value);
        continue;
      }
    }
    const added = await askHeader(
      { ...place, canGoBack: true },
      headers.map(({ key }) => key),
    );
    if (added.kind === "cancel") return added;
    if (added.kind === "back" && headers.length === 0) return added;
    if (added.kind === "next") headers = [...headers, added.value];
  }
}

function chooseHeader(place: Place, headers: readonly ToolServerHeader[]): Promise<Answer<string>> {
  const rows = [
    { value: "done", label: "$(check) Done" },
    { value: "add", label: "$(add) Add Another Header…" },
    ...headers.map(({ key }) => ({ value: key, label: `$(trash) Take away ${key}` })),
  ];
  return askChoice(place, rows, { placeholder: "Go on, or add another header", active: "done" });
}

/** The last row but one that a person chooses: saving is first, any other row asks for that field again. */
async function summary(
  place: Place,
  start: ToolServerDraft,
  asked: readonly Field[],
  save: string,
): Promise<Answer<ToolServerDraft>> {
  let draft = start;
  let active: Field | "save" = "save";
  for (;;) {
    const rows = [
      { value: "save" as const, label: `$(check) ${save}`, description: draft.name },
      ...fieldsOf(draft, asked).map((value) => ({
        value,
        label: labels[value],
        description: show(value, draft),
      })),
    ];
    const placeholder = `${save}, or choose what to change`;
    const answer: Answer<Field | "save"> = await askChoice<Field | "save">(place, rows, {
      placeholder,
      active,
    });
    if (answer.kind !== "next") return answer;
    if (answer.value === "save") return next(draft);
    active = answer.value;
    const changed = await ask(active, { title: place.title, canGoBack: true }, draft);
    if (changed.kind === "cancel") return changed;
    if (changed.kind === "next") draft = await withHeaders(place, draft, changed.value);
  }
}

/** Whoever turns to headers is asked for one. */
async function withHeaders(
  place: Place,
  before: ToolServerDraft,
  after: ToolServerDraft,
): Promise<ToolServerDraft> {
  if (after.signIn !== "headers" || before.signIn === "headers" || after.headers.length > 0) return after;
  const asked = await askHeaders({ title: place.title, canGoBack: true }, after);
  return asked.kind === "next" ? asked.value : before;
}

function fieldsOf({ signIn }: ToolServerDraft, fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => field !== "headers" || signIn === "headers");
}

function show(field: Field, { url, signIn, headers, name }: ToolServerDraft): string {
  switch (field) {
    case "url":
      return url;
    case "signIn":
      return signIns[signIn][0];
    case "headers":
      return headers.map(({ key }) => `${key}: •••`).join(", ");
    case "name":
      return name;
    default:
      return field satisfies never;
  }
}

function next<T>(value: T): Answer<T> {
  return { kind: "next", value };
}
