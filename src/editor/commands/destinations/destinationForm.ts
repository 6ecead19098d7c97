/** The steps in which a destination is described, and those for the keys of its bucket. */

import type { Credentials } from "../../../api/bulkExports/destinations.ts";
import {
  type AwsProfile,
  bucketProblem,
  credentialsFile,
  type DestinationDraft,
  endpointProblem,
  environmentCredentials,
  exampleUrl,
  type GivenCredentials,
  keysOf,
  nameProblem,
  namesBucket,
  prefixProblem,
  readProfiles,
} from "../../destinations/destinationDraft.ts";
import {
  askSteps,
  choiceField,
  type Form,
  type FormField,
  type FormStep,
  textField,
} from "../../kit/ask/form.ts";
import { showWarning } from "../../kit/notice.ts";
import { askChoice, askText, askThen, type Choice, type Heading } from "../../kit/ask/questions.ts";

/** How each is asked for and shown in the summary. */
export const DESTINATION_FIELDS = {
  store: choiceField(
    "Store",
    {
      get: ({ store }) => store,
      set: (draft, store) => ({
        ...draft,
        store,
        ...(store === "aws" ? { endpoint: "", includeBucket: true } : {}),
      }),
    },
    {
      placeholder: "Where is the bucket?",
      choices: [
        { value: "aws", label: "$(cloud) AWS S3", detail: "Needs the bucket's region, and no endpoint." },
        {
          value: "compatible",
          label: "$(database) S3-compatible store",
          detail: "Any other store that speaks S3, by its endpoint's address.",
        },
      ],
    },
  ),
  endpoint: textField(
    "Endpoint",
    "endpoint",
    {
      prompt: "Address of the S3-compatible store. For AWS there is none.",
      placeholder: "https://objects.example.com",
      problem: endpointProblem,
    },
    { has: isCompatible },
  ),
  bucket: textField("Bucket", "bucket", {
    prompt:
      "Name of the bucket. The service has to be allowed to write objects to it; deleting, reading and aborting multipart uploads is optional.",
    placeholder: "my-traces",
    problem: bucketProblem,
  }),
  region: textField(
    "Region",
    "region",
    ({ store }) => ({
      prompt: store === "aws" ? "The bucket's AWS region." : "Region, if the store has any. May stay empty.",
      placeholder: "eu-central-1",
      problem: (typed) => (typed === "" && store === "aws" ? "An AWS bucket needs its region." : undefined),
    }),
    { isAsked: ({ store }) => store === "aws" },
  ),
  includeBucket: choiceField(
    "Bucket in path",
    {
      get: (draft) => !namesBucket(draft) && draft.includeBucket,
      set: (draft, includeBucket) => ({ ...draft, includeBucket }),
    },
    (draft) => {
      const { bucket, prefix } = draft;
      const path = [bucket, prefix || "PREFIX", "…"].join("/");
      return {
        placeholder: "include_bucket_in_prefix: does the bucket's name go into the path?",
        choices: [
          { value: true, label: "Yes", detail: `Objects are written as ${path}. The usual choice.` },
          {
            value: false,
            label: "No",
            description: namesBucket(draft) ? "fits this endpoint" : "",
            detail: `The endpoint's host names the bucket already (virtual-hosted style): objects are written without ${bucket}/.`,
          },
        ],
      };
    },
    {
      show: ({ includeBucket }) => (includeBucket ? "yes" : "no, the endpoint names the bucket"),
      has: isCompatible,
    },
  ),
  addressing: choiceField<DestinationDraft, "addressing">(
    "Addressing style",
    "addressing",
    (draft) => ({
      placeholder: "addressing_style: how is the bucket named in requests?",
      choices: [
        { value: "auto", label: "auto", detail: "The service decides by the endpoint. The usual choice." },
        {
          value: "virtual",
          label: "virtual",
          detail: `Bucket in the host's name: ${exampleUrl(draft, "virtual")}`,
        },
        { value: "path", label: "path", detail: `Bucket in the path: ${exampleUrl(draft, "path")}` },
      ],
    }),
    { isAsked: isCompatible },
  ),
  prefix: textField("Prefix", "prefix", {
    prompt: "Folder in the bucket below which everything is written.",
    placeholder: "agents/production",
    problem: prefixProblem,
  }),
  name: textField("Name", "name", ({ bucket }) => ({
    prompt: "What the destination is called.",
    placeholder: `Traces in ${bucket}`,
    problem: nameProblem,
  })),
  credentials: {
    label: "Credentials",
    ask: async (heading, draft) => ({ ...draft, credentials: await askCredentials(heading, true) }),
    show: ({ credentials, endpoint }) => {
      if (credentials?.variables === undefined) return credentials?.from ?? "to be asked";
      return `${credentials.from}: they go to the platform, which uses them at ${endpoint || "AWS"}`;
    },
  },
} satisfies Readonly<Record<string, FormField<DestinationDraft>>>;

/** The whole form. */
export function destinationForm(title: string): Form<DestinationDraft> {
  return {
    title,
    fields: Object.values(DESTINATION_FIELDS),
    accept: ({ name }) => ({
      label: "$(check) Create",
      description: `${name}: the service tries the bucket by writing a test file`,
    }),
  };
}

function isCompatible({ store }: DestinationDraft): boolean {
  return store === "compatible";
}

type Source =
  | { readonly kind: "typed" }
  | { readonly kind: "service" }
  | { readonly kind: "found"; readonly given: GivenCredentials };

/** The keys are handed over in memory and kept nowhere. `mayOmit`: the service may have keys of its own. */
export async function askCredentials(heading: Heading, mayOmit: boolean): Promise<GivenCredentials> {
  const choices = await sources(mayOmit);
  const placeholder =
    "Where do the bucket's keys come from? They are sent to the service once and not kept here.";
  return askThen(
    () => askChoice(heading, choices, { placeholder }),
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
