/** The steps in which a tool server is registered or changed, ending in a summary where every field can be chosen. */

import type { ToolServerHeader } from "../../../api/managedAgents/toolServers.ts";
import {
  addressProblem,
  addressWarning,
  headerNameProblem,
  headerValueProblem,
  type SignIn,
  suggestedName,
  type ToolServerDraft,
} from "../../toolServers/toolServerDraft.ts";
import { choiceField, type Form, type FormField, textField } from "../../kit/ask/form.ts";
import { askChoice, askText, askThen, BackError, type Heading } from "../../kit/ask/questions.ts";

const signIns: Readonly<Record<SignIn, readonly [label: string, detail: string]>> = {
  none: ["None", "Anybody may use the tool server."],
  headers: ["Headers", "The platform sends headers, such as a token, with each request."],
  oauth: ["OAuth", "Each person agrees in a browser; the platform keeps the token."],
};

const signInField = choiceField<ToolServerDraft, "signIn">("Sign-in", "signIn", {
  placeholder: "How does the platform sign in to the tool server?",
  choices: (Object.keys(signIns) as SignIn[]).map((value) => {
    const [label, detail] = signIns[value];
    return { value, label, detail };
  }),
});

const FIELDS = {
  url: textField("Address", "url", {
    prompt: "Address of the tool server (MCP over streamable HTTP).",
    placeholder: "https://tools.example.com/mcp",
    problem: addressProblem,
    warning: addressWarning,
  }),
  signIn: { ...signInField, ask: askSignIn },
  headers: {
    label: "Headers",
    ask: askHeaders,
    show: ({ headers }) => headers.map(({ key }) => `${key}: •••`).join(", "),
    has: ({ signIn }) => signIn === "headers",
  },
  name: textField(
    "Name",
    {
      get: ({ name, url }) => (name === "" ? suggestedName(url) : name),
      set: (draft, name) => ({ ...draft, name }),
    },
    {
      prompt: "What the tool server is called. The name can't be changed later.",
      problem: (text) => (text === "" ? "Enter a name." : undefined),
    },
    { show: ({ name }) => name },
  ),
} satisfies Readonly<Record<string, FormField<ToolServerDraft>>>;

/** A tool server of which nothing is known yet. */
export const emptyToolServer: ToolServerDraft = { name: "", url: "", signIn: "none", headers: [] };

/** What is asked for of a new tool server. */
export const NEW_TOOL_SERVER = toolServerForm("Register Tool Server", Object.values(FIELDS), "Register");

/** What of a tool server can be changed; its name stays for ever. */
export function changedToolServerForm(title: string): Form<ToolServerDraft> {
  return toolServerForm(title, [FIELDS.url, FIELDS.signIn], "Save");
}

function toolServerForm(
  title: string,
  fields: readonly FormField<ToolServerDraft>[],
  accept: string,
): Form<ToolServerDraft> {
  return { title, fields, accept: ({ name }) => ({ label: `$(check) ${accept}`, description: name }) };
}

/** Asks for one header: its name, then its value in a password box. */
export function askHeader(heading: Heading, others: readonly string[]): Promise<ToolServerHeader> {
  let key = "";
  const askName = async (): Promise<string> =>
    (key = await askText(heading, {
      prompt: "Name of a header that the tool server gets with each request.",
      placeholder: "Authorization",
      value: key,
      problem: (text) => headerNameProblem(text, others),
    }));
  return askThen(askName, async () => ({
    key,
    value: await askHeaderValue({ ...heading, canGoBack: true }, key),
  }));
}

/** Asks for a header's value, hidden as it is typed. */
export function askHeaderValue(heading: Heading, key: string): Promise<string> {
  return askText(heading, {
    prompt: `Value of ${key}. It is sent to the platform and kept nowhere else.`,
    secret: true,
    problem: headerValueProblem,
  });
}

/** Whoever turns to headers in the summary is asked for one at once; among the steps that is the next one. */
async function askSignIn(heading: Heading, draft: ToolServerDraft): Promise<ToolServerDraft> {
  const chosen = await signInField.ask(heading, draft);
  const turned = chosen.signIn === "headers" && draft.signIn !== "headers" && draft.headers.length === 0;
  return heading.step === undefined && turned ? askHeaders(heading, chosen) : chosen;
}

/** The first header is asked for at once; after that more can be added or taken away. */
async function askHeaders(heading: Heading, draft: ToolServerDraft): Promise<ToolServerDraft> {
  let { headers } = draft;
  for (;;) {
    if (headers.length > 0) {
      const chosen = await chooseHeader(heading, headers);
      if (chosen === "done") return { ...draft, headers };
      if (chosen !== "add") {
        headers = headers.filter(({ key }) => key !== chosen);
        continue;
      }
    }
    const keys = headers.map(({ key }) => key);
    try {
      headers = [...headers, await askHeader({ ...heading, canGoBack: true }, keys)];
    } catch (error) {
      if (!(error instanceof BackError) || headers.length === 0) throw error;
    }
  }
}

function chooseHeader(heading: Heading, headers: readonly ToolServerHeader[]): Promise<string> {
  const rows = [
    { value: "done", label: "$(check) Done" },
    { value: "add", label: "$(add) Add Another Header…" },
    ...headers.map(({ key }) => ({ value: key, label: `$(trash) Remove ${key}` })),
  ];
  return askChoice(heading, rows, { placeholder: "Continue, or add another header", active: "done" });
}
