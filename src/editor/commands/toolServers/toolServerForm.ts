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
import { fillForm, reviewForm } from "../../kit/ask/form.ts";
import type { Form, FormField } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Place } from "../../kit/ask/steps.ts";

type Field = "url" | "signIn" | "headers" | "name";

const signIns: Readonly<Record<SignIn, readonly [label: string, detail: string]>> = {
  none: ["None", "Anybody may use the tool server."],
  headers: ["Headers", "The platform sends headers, such as a token, with each request."],
  oauth: ["OAuth", "Each person agrees in a browser; the platform keeps the token."],
};

const FIELDS: Readonly<Record<Field, FormField<ToolServerDraft>>> = {
  url: { label: "Address", ask: askUrl, show: ({ url }) => url },
  signIn: { label: "Sign-in", ask: askSignIn, show: ({ signIn }) => signIns[signIn][0] },
  headers: {
    label: "Headers",
    ask: askHeaders,
    show: ({ headers }) => headers.map(({ key }) => `${key}: •••`).join(", "),
  },
  name: { label: "Name", ask: askName, show: ({ name }) => name },
};

/** Asks step by step for a new tool server; undefined when the person gave up. */
export function fillInToolServer(title: string): Promise<ToolServerDraft | undefined> {
  const start: ToolServerDraft = { name: "", url: "", signIn: "none", headers: [] };
  return fillForm(toolServerForm(title, ["url", "signIn", "headers", "name"], "Register"), start);
}

/** Shows a tool server for changes; its name stays for ever. Undefined when the person gave up. */
export function changeToolServer(
  title: string,
  start: ToolServerDraft,
): Promise<ToolServerDraft | undefined> {
  return reviewForm(toolServerForm(title, ["url", "signIn"], "Save"), start);
}

function toolServerForm(
  title: string,
  asked: readonly Field[],
  accept: string,
): Form<ToolServerDraft, Field> {
  const fieldsOf = ({ signIn }: ToolServerDraft): readonly Field[] =>
    asked.filter((field) => field !== "headers" || signIn === "headers");
  return {
    title,
    fields: FIELDS,
    steps: fieldsOf,
    summary: fieldsOf,
    accept: ({ name }) => ({ label: `$(check) ${accept}`, description: name }),
  };
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

/** Whoever turns to headers in the summary is asked for one at once; among the steps that is the next one. */
async function askSignIn(place: Place, draft: ToolServerDraft): Promise<Answer<ToolServerDraft>> {
  const choices = (Object.keys(signIns) as SignIn[]).map((value) => {
    const [label, detail] = signIns[value];
    return { value, label, detail };
  });
  const placeholder = "How does the platform sign in to the tool server?";
  const answer = await askChoice<SignIn>(place, choices, { placeholder, active: draft.signIn });
  if (answer.kind !== "next") return answer;
  const chosen = { ...draft, signIn: answer.value };
  const turned = chosen.signIn === "headers" && draft.signIn !== "headers" && draft.headers.length === 0;
  return place.step === undefined && turned ? askHeaders(place, chosen) : next(chosen);
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

function next<T>(value: T): Answer<T> {
  return { kind: "next", value };
}
