/** The questions for the keys of a bucket: those that this machine has are offered, others are typed. */

import type { Credentials } from "../../api/bulkExports/destinations.ts";
import { askSteps, type FormStep } from "../kit/ask/form.ts";
import { askChoice, askText, askThen, type Choice, type Heading } from "../kit/ask/questions.ts";
import { showWarning } from "../kit/notice.ts";
import {
  type AwsProfile,
  credentialsFile,
  environmentCredentials,
  type GivenCredentials,
  keysOf,
  readProfiles,
} from "./destinationDraft.ts";

/** What happens to keys that a destination is given. */
export const keysForService = "They are sent to the service once and not kept here.";

/**
 * Asks where a bucket's keys come from, and for keys that are typed; `use` says what happens to them. They are handed over
 * in memory. `mayOmit`: the service may have keys of its own.
 */
export async function askCredentials(
  heading: Heading,
  use: string,
  { mayOmit = false }: { readonly mayOmit?: boolean } = {},
): Promise<GivenCredentials> {
  const choices = await sources(mayOmit);
  return askThen(
    () => askChoice(heading, choices, { placeholder: `Where do the bucket's keys come from? ${use}` }),
    async (source): Promise<GivenCredentials> => {
      switch (source.kind) {
        case "found":
          return source.given;
        case "service":
          return { from: "the service's own environment", values: undefined };
        case "typed":
          return { from: "typed", values: await askKeys(heading.title) };
        default:
          return source satisfies never;
      }
    },
  );
}

type Source =
  | { readonly kind: "typed" }
  | { readonly kind: "service" }
  | { readonly kind: "found"; readonly given: GivenCredentials };

async function sources(mayOmit: boolean): Promise<readonly Choice<Source>[]> {
  const file = credentialsFile(process.env);
  const variables = environmentCredentials(process.env);
  const profiles = await profilesIn(file);
  const found = (label: string, detail: string, values: Credentials): Choice<Source> => ({
    value: { kind: "found", given: { from: detail, values } },
    label,
    detail: values.session_token === undefined ? detail : `${detail}, temporary: with a session token`,
  });
  return [
    { value: { kind: "typed" }, label: "$(key) Type them", detail: "In password boxes." },
    ...(variables === undefined
      ? []
      : [
          found(
            "$(terminal) Environment",
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the editor",
            variables,
          ),
        ]),
    ...profiles.map(({ name, credentials }) =>
      found(`$(account) Profile ${name}`, `profile ${name} of ${file}`, credentials),
    ),
    ...(mayOmit
      ? [
          {
            value: { kind: "service" as const },
            label: "$(server-environment) The service's own environment",
            detail:
              "Self-hosted platforms only (chart 0.10.34 or later): no keys are sent, and the service looks for them in the usual order.",
          },
        ]
      : []),
  ];
}

/** Keys can be given otherwise, so that a file that can't be read is no failure. */
async function profilesIn(file: string): Promise<readonly AwsProfile[]> {
  try {
    return await readProfiles(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void showWarning(`The profiles in ${file} can't be offered: ${reason}`);
    return [];
  }
}

const questions = [
  { field: "access_key_id", what: "Access key ID", limit: 255, needed: true },
  { field: "secret_access_key", what: "Secret access key", limit: 2048, needed: true },
  {
    field: "session_token",
    what: "Session token, for temporary credentials; else leave it empty",
    limit: 2048,
    needed: false,
  },
] as const;

async function askKeys(title: string): Promise<Credentials> {
  const steps = questions.map(
    ({ field, what, limit, needed }): FormStep<Readonly<Record<string, string>>> =>
      async (heading, typed) => {
        const answer = await askText(heading, {
          prompt: `${what}.`,
          placeholder: needed ? `${what}, or \${env:NAME} for an environment variable` : "",
          value: typed[field] ?? "",
          secret: true,
          problem: (text) => keyProblem(text, limit, needed),
        });
        return { ...typed, [field]: referenced(answer) ?? answer };
      },
  );
  const typed = await askSteps({ title, canGoBack: true }, {}, () => steps);
  return keysOf(typed["access_key_id"] ?? "", typed["secret_access_key"] ?? "", typed["session_token"]);
}

function keyProblem(text: string, limit: number, needed: boolean): string | undefined {
  if (text === "") return needed ? "Enter it, or go back and choose another source." : undefined;
  const value = referenced(text);
  if (value === "") return "That environment variable is not set where the editor runs.";
  if ((value ?? text).length > limit) return `It has at most ${String(limit)} characters.`;
  return /\s/.test(value ?? text) ? "It has no spaces." : undefined;
}

/** The value of `${env:NAME}`, "" when it is not set; undefined when the text is no reference. */
function referenced(text: string): string | undefined {
  const [, name] = /^\$\{env:([^}]+)\}$/.exec(text) ?? [];
  return name === undefined ? undefined : (process.env[name] ?? "");
}
