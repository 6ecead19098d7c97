/** The steps in which a destination is described; what each choice means is said where it is made. */

import type { AddressingStyle } from "../../../api/bulkExports/wire.ts";
import {
  bucketProblem,
  endpointProblem,
  exampleUrl,
  nameProblem,
  namesBucket,
  prefixProblem,
} from "../../destinations/destinationDraft.ts";
import type { DestinationDraft } from "../../destinations/destinationDraft.ts";
import { askCredentials } from "./destinationCredentials.ts";
import type { Form, FormField } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Choice, Place, TextQuestion } from "../../kit/ask/steps.ts";

/** What is asked for, one step each. */
export type DestinationField =
  | "store"
  | "endpoint"
  | "bucket"
  | "region"
  | "includeBucket"
  | "addressing"
  | "prefix"
  | "name"
  | "credentials";

type TextField = "endpoint" | "bucket" | "region" | "prefix" | "name";

/** How each is asked for and shown in the summary. */
export const DESTINATION_FIELDS: Readonly<Record<DestinationField, FormField<DestinationDraft>>> = {
  store: {
    label: "Store",
    ask: askStore,
    show: ({ store }) => (store === "aws" ? "AWS S3" : "S3-compatible store"),
  },
  endpoint: text("endpoint", "Endpoint", () => ({
    prompt: "Address of the S3-compatible store. For AWS there is none.",
    placeholder: "https://objects.example.com",
    problem: endpointProblem,
  })),
  bucket: text("bucket", "Bucket", () => ({
    prompt:
      "Name of the bucket. The service has to be allowed to write objects to it; deleting, reading and aborting multipart uploads is optional.",
    placeholder: "my-traces",
    problem: bucketProblem,
  })),
  region: text("region", "Region", ({ store }) => ({
    prompt: store === "aws" ? "The bucket's AWS region." : "Region, if the store has any. May stay empty.",
    placeholder: "eu-central-1",
    problem: (typed) => (typed === "" && store === "aws" ? "An AWS bucket needs its region." : undefined),
  })),
  includeBucket: {
    label: "Bucket in path",
    ask: askIncludeBucket,
    show: ({ includeBucket }) => (includeBucket ? "yes" : "no, the endpoint names the bucket"),
  },
  addressing: { label: "Addressing style", ask: askAddressing, show: ({ addressing }) => addressing },
  prefix: text("prefix", "Prefix", () => ({
    prompt: "Folder in the bucket below which everything is written.",
    placeholder: "agents/production",
    problem: prefixProblem,
  })),
  name: text("name", "Name", ({ bucket }) => ({
    prompt: "What the destination is called.",
    placeholder: `Traces in ${bucket}`,
    problem: nameProblem,
  })),
  credentials: {
    label: "Credentials",
    ask: async (place, draft) => {
      const answer = await askCredentials(place, true);
      return answer.kind === "next" ? next({ ...draft, credentials: answer.value }) : answer;
    },
    show: ({ credentials }) => credentials?.from ?? "to be asked",
  },
};

/** The whole form; `verb` is what its last step does. */
export function destinationForm(title: string): Form<DestinationDraft, DestinationField> {
  return {
    title,
    fields: DESTINATION_FIELDS,
    steps: ({ store }) =>
      store === "aws"
        ? ["store", "bucket", "region", "prefix", "name", "credentials"]
        : ["store", "endpoint", "bucket", "includeBucket", "addressing", "prefix", "name", "credentials"],
    summary: ({ store }) => [
      "store",
      ...(store === "aws" ? [] : (["endpoint"] as const)),
      "bucket",
      "region",
      ...(store === "aws" ? [] : (["includeBucket"] as const)),
      "addressing",
      "prefix",
      "name",
      "credentials",
    ],
    accept: ({ name }) => ({
      label: "$(check) Create",
      description: `${name}: the service tries the bucket by writing a test file`,
    }),
  };
}

async function askStore(place: Place, draft: DestinationDraft): Promise<Answer<DestinationDraft>> {
  const choices: readonly Choice<DestinationDraft["store"]>[] = [
    { value: "aws", label: "$(cloud) AWS S3", detail: "Needs the bucket's region, and no endpoint." },
    {
      value: "compatible",
      label: "$(database) S3-compatible store",
      detail: "Any other store that speaks S3, by its endpoint's address.",
    },
  ];
  const answer = await askChoice(place, choices, {
    placeholder: "Where is the bucket?",
    active: draft.store,
  });
  if (answer.kind !== "next") return answer;
  return next({
    ...draft,
    store: answer.value,
    ...(answer.value === "aws" ? { endpoint: "", includeBucket: true } : {}),
  });
}

async function askIncludeBucket(place: Place, draft: DestinationDraft): Promise<Answer<DestinationDraft>> {
  const { bucket, prefix } = draft;
  const names = namesBucket(draft);
  const path = [bucket, prefix || "PREFIX", "…"].join("/");
  const choices: readonly Choice<boolean>[] = [
    { value: true, label: "Yes", detail: `Objects are written as ${path}. The usual choice.` },
    {
      value: false,
      label: "No",
      description: names ? "fits this endpoint" : "",
      detail: `The endpoint's host names the bucket already (virtual-hosted style): objects are written without ${bucket}/.`,
    },
  ];
  const active = names ? false : draft.includeBucket;
  const placeholder = "include_bucket_in_prefix: does the bucket's name go into the path?";
  const answer = await askChoice(place, choices, { placeholder, active });
  return answer.kind === "next" ? next({ ...draft, includeBucket: answer.value }) : answer;
}

async function askAddressing(place: Place, draft: DestinationDraft): Promise<Answer<DestinationDraft>> {
  const choices: readonly Choice<AddressingStyle>[] = [
    { value: "auto", label: "auto", detail: "The service decides by the endpoint. The usual choice." },
    {
      value: "virtual",
      label: "virtual",
      detail: `Bucket in the host's name: ${exampleUrl(draft, "virtual")}`,
    },
    { value: "path", label: "path", detail: `Bucket in the path: ${exampleUrl(draft, "path")}` },
  ];
  const placeholder = "addressing_style: how is the bucket named in requests?";
  const answer = await askChoice(place, choices, { placeholder, active: draft.addressing });
  return answer.kind === "next" ? next({ ...draft, addressing: answer.value }) : answer;
}

function text(
  field: TextField,
  label: string,
  question: (draft: DestinationDraft) => Omit<TextQuestion, "value">,
): FormField<DestinationDraft> {
  return {
    label,
    show: (draft) => draft[field] || "none",
    ask: async (place, draft) => {
      const answer = await askText(place, { ...question(draft), value: draft[field] });
      return answer.kind === "next" ? next({ ...draft, [field]: answer.value }) : answer;
    },
  };
}

function next(value: DestinationDraft): Answer<DestinationDraft> {
  return { kind: "next", value };
}
