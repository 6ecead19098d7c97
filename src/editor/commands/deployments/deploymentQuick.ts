/** The quick way to a deployment: what it needs, asked in a few steps; a draft takes over when more is wanted. */

import type { JsonObject } from "../../../api/agentServer/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import type { DeploymentDrafts } from "../../documents/deploymentDrafts.ts";
import { refusedFields } from "../../deployments/drafts/parsedDraft.ts";
import { draftText } from "../../deployments/drafts/draftText.ts";
import { isCancellation } from "../../kit/report.ts";
import type { Services } from "../../services.ts";
import { isUuid } from "../../kit/words.ts";
import { choosePlatform } from "../connections/connectionChoice.ts";
import { createDeployment, nameOf } from "./deploymentSend.ts";
import { askSteps, decisive, type FormStep } from "../../kit/ask/form.ts";
import { askChoice, askText, type TextQuestion } from "../../kit/ask/questions.ts";

/** What was typed so far, by the name of the field. */
type Typed = Readonly<Record<string, string>>;

interface Source {
  readonly label: string;
  readonly detail: string;
  readonly fields: readonly (keyof typeof QUESTIONS)[];
  readonly draft: (typed: Typed) => JsonObject;
}

const QUESTIONS = {
  repo_url: {
    prompt: "The address of the GitHub repository.",
    placeholder: "https://github.com/owner/repository",
    problem: webAddress,
  },
  integration_id: {
    prompt: "The ID of the platform's GitHub integration; leave it empty where none is needed.",
    problem: (text: string) => (text === "" || isUuid(text) ? undefined : "Enter a UUID, or nothing."),
  },
  repo_ref: { prompt: "A branch, or a tag such as refs/tags/v1.0.0.", value: "main", problem: required },
  image_uri: {
    prompt: "The image with its registry and tag.",
    placeholder: "registry.example.com/my-agent:1.0.0",
    problem: (text) =>
      /^[\w./-]+(:\d+\/[\w./-]+)?(:[\w.-]+)?(@\w+:[0-9a-f]+)?$/i.test(text)
        ? undefined
        : "Enter an image such as registry.example.com/my-agent:1.0.0.",
  },
  custom_url: {
    prompt: "The address of the running agent server.",
    placeholder: "http://127.0.0.1:2024",
    problem: webAddress,
  },
  name: {
    prompt: "The deployment's name; it can't be changed later.",
    placeholder: "my-agent",
    problem: (text: string) =>
      text === ""
        ? "Enter a name."
        : text.length > 128
          ? "At most 128 characters."
          : /[/:]/.test(text)
            ? "A name holds no / and no colon, as an image does."
            : undefined,
  },
  secrets: {
    prompt: "Names of secrets, separated by commas; their values are asked for next. Empty for none.",
    placeholder: "OPENAI_API_KEY, DATABASE_PASSWORD",
    problem: (text: string) =>
      namesIn(text).every((name) => /^[A-Za-z_]\w{0,254}$/.test(name))
        ? undefined
        : "Names hold letters, digits and underscores.",
  },
} satisfies Readonly<Record<string, TextQuestion>>;

const SOURCES: readonly [Source, ...Source[]] = [
  {
    label: "$(github) GitHub repository",
    detail: "The platform builds a branch or tag",
    fields: ["repo_url", "integration_id", "repo_ref", "name", "secrets"],
    draft: ({ repo_url = "", integration_id = "", repo_ref = "", ...rest }) => ({
      ...common(rest, "github"),
      source_config: {
        repo_url,
        deployment_type: "dev",
        ...(integration_id === "" ? {} : { integration_id }),
      },
      source_revision_config: { repo_ref, langgraph_config_path: "langgraph.json" },
    }),
  },
  {
    label: "$(package) Docker image",
    detail: "From a registry that the platform can reach",
    fields: ["image_uri", "name", "secrets"],
    draft: ({ image_uri = "", ...rest }) => ({
      ...common(rest, "external_docker"),
      source_config: {},
      source_revision_config: { image_uri },
    }),
  },
  {
    label: "$(server) Running agent server",
    detail: "The deployment fronts a server that you run",
    fields: ["custom_url", "name"],
    draft: ({ custom_url = "", ...rest }) => ({
      ...common(rest, "external_docker"),
      source_config: { custom_url },
      source_revision_config: {},
    }),
  },
];

/** Creates a deployment in a few steps; none was made where it goes on as a draft. */
export async function create(
  services: Services,
  drafts: DeploymentDrafts,
  node: unknown,
): Promise<DeploymentRef | undefined> {
  const connection = await choosePlatform(services, node, "New Deployment");
  const draft = await fillIn(`New Deployment on ${connection.name}`);
  const open = () => drafts.open(nameOf(draft), draftText(draft), connection.id);
  try {
    const made = await createDeployment(services, { connection, draft });
    if (made !== "edit") return { connectionId: connection.id, deploymentId: made.id };
    await open();
    return undefined;
  } catch (error) {
    if (isCancellation(error)) throw error;
    const problems = error instanceof ApiError ? refusedFields(error, draft) : [];
    // Nothing that was typed is lost: it goes on as a draft, with marks where fields were refused.
    await drafts.diagnostics.show(await open(), problems);
    throw error;
  }
}

/** What was chosen and typed so far. */
interface Quick {
  readonly source: Source;
  readonly typed: Typed;
}

/** Asks step by step, with a way back. */
async function fillIn(title: string): Promise<JsonObject> {
  const [first] = SOURCES;
  const start: Quick = { source: first, typed: {} };
  const { source, typed } = await askSteps({ title }, start, (quick) => [
    decisive(askSource),
    ...quick.source.fields.map(stepFor),
  ]);
  return source.draft(typed);
}

const askSource: FormStep<Quick> = async (heading, { typed }) => {
  const choices = SOURCES.map((source) => ({ label: source.label, detail: source.detail, value: source }));
  const placeholder = "What is deployed? Other sources have a draft.";
  return { source: await askChoice(heading, choices, { placeholder }), typed };
};

function stepFor(field: keyof typeof QUESTIONS): FormStep<Quick> {
  return async (heading, { source, typed }) => {
    const question: TextQuestion = QUESTIONS[field];
    const value = typed[field] ?? question.value ?? "";
    return { source, typed: { ...typed, [field]: await askText(heading, { ...question, value }) } };
  };
}

function common({ name = "", secrets = "" }: Typed, source: string): JsonObject {
  return { name, source, secrets: namesIn(secrets).map((secret) => ({ name: secret })) };
}

function namesIn(text: string): readonly string[] {
  return [...new Set(text.split(",").map((name) => name.trim()))].filter((name) => name !== "");
}

function required(text: string): string | undefined {
  return text === "" ? "This is needed." : undefined;
}

function webAddress(text: string): string | undefined {
  return /^https?:\/\/[^/?#@]+/.test(text) && URL.canParse(text)
    ? undefined
    : "Enter an address with http or https.";
}
