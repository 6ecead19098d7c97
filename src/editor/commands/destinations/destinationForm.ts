/** The steps in which a destination is described. */

import { askCredentials, keysForService } from "../../destinations/credentials.ts";
import {
  bucketProblem,
  type DestinationDraft,
  endpointProblem,
  exampleUrl,
  nameProblem,
  namesBucket,
  prefixProblem,
  suggestedName,
} from "../../destinations/destinationDraft.ts";
import { choiceField, type Form, type FormField, textField } from "../../kit/ask/form.ts";

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
      prompt: "Address of the S3-compatible store.",
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
  name: textField(
    "Name",
    {
      get: ({ name, bucket }) => (name === "" ? suggestedName(bucket) : name),
      set: (draft, name) => ({ ...draft, name }),
    },
    { prompt: "What the destination is called.", problem: nameProblem },
    { show: ({ name }) => name },
  ),
  credentials: {
    label: "Credentials",
    ask: async (heading, draft) => ({
      ...draft,
      credentials: await askCredentials(heading, keysForService, { mayOmit: true }),
    }),
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
