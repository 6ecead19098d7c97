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
import { choiceField, textField } from "../../kit/ask/form.ts";
import type { Form, FormField } from "../../kit/ask/form.ts";

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

/** How each is asked for and shown in the summary. */
export const DESTINATION_FIELDS: Readonly<Record<DestinationField, FormField<DestinationDraft>>> = {
  store: choiceField(
    "Store",
    ({ store }) => store,
    (draft, store) => ({
      ...draft,
      store,
      ...(store === "aws" ? { endpoint: "", includeBucket: true } : {}),
    }),
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
    ({ endpoint }) => endpoint,
    (draft, endpoint) => ({ ...draft, endpoint }),
    {
      prompt: "Address of the S3-compatible store. For AWS there is none.",
      placeholder: "https://objects.example.com",
      problem: endpointProblem,
    },
  ),
  bucket: textField(
    "Bucket",
    ({ bucket }) => bucket,
    (draft, bucket) => ({ ...draft, bucket }),
    {
      prompt:
        "Name of the bucket. The service has to be allowed to write objects to it; deleting, reading and aborting multipart uploads is optional.",
      placeholder: "my-traces",
      problem: bucketProblem,
    },
  ),
  region: textField(
    "Region",
    ({ region }) => region,
    (draft, region) => ({ ...draft, region }),
    ({ store }) => ({
      prompt: store === "aws" ? "The bucket's AWS region." : "Region, if the store has any. May stay empty.",
      placeholder: "eu-central-1",
      problem: (typed) => (typed === "" && store === "aws" ? "An AWS bucket needs its region." : undefined),
    }),
  ),
  includeBucket: choiceField(
    "Bucket in path",
    (draft) => (namesBucket(draft) ? false : draft.includeBucket),
    (draft, includeBucket) => ({ ...draft, includeBucket }),
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
    ({ includeBucket }) => (includeBucket ? "yes" : "no, the endpoint names the bucket"),
  ),
  addressing: choiceField<DestinationDraft, AddressingStyle>(
    "Addressing style",
    ({ addressing }) => addressing,
    (draft, addressing) => ({ ...draft, addressing }),
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
  ),
  prefix: textField(
    "Prefix",
    ({ prefix }) => prefix,
    (draft, prefix) => ({ ...draft, prefix }),
    {
      prompt: "Folder in the bucket below which everything is written.",
      placeholder: "agents/production",
      problem: prefixProblem,
    },
  ),
  name: textField(
    "Name",
    ({ name }) => name,
    (draft, name) => ({ ...draft, name }),
    ({ bucket }) => ({
      prompt: "What the destination is called.",
      placeholder: `Traces in ${bucket}`,
      problem: nameProblem,
    }),
  ),
  credentials: {
    label: "Credentials",
    ask: async (place, draft) => ({ ...draft, credentials: await askCredentials(place, true) }),
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
