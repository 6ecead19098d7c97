import * as z from "zod";

/** Where in which bucket exports go (docs/interface.md, "Bulk-export destination"). Members this platform does not know are kept. */
export const configBody = z
  .looseObject({
    bucket_name: z
      .string()
      .min(3)
      .max(63)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$/),
    prefix: z
      .string()
      .max(2048)
      .refine((prefix) => !/(^|\/)\.\.?(\/|$)/.test(prefix), "The prefix must not have . or .. as a part.")
      .refine((prefix) => !/\p{Cc}/u.test(prefix), "The prefix must not have control characters."),
    region: z.string().min(1).max(100).optional(),
    endpoint_url: z.string().min(1).max(2048).optional(),
    include_bucket_in_prefix: z
      .boolean()
      .default(true)
      .describe("False when the endpoint's host already names the bucket."),
    config_kwargs_s3: z
      .looseObject({ addressing_style: z.enum(["virtual", "path", "auto"]).optional() })
      .optional(),
    s3_additional_kwargs: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe("Further parameters of each write, such as `ServerSideEncryption`."),
    aws_role_arn: z.null("The Local Platform takes no roles, only credentials.").optional(),
  })
  .refine(({ region, endpoint_url }) => region !== undefined || endpoint_url !== undefined, {
    message: "An AWS bucket needs a region, any other an endpoint_url.",
    path: ["region"],
  });

/** Where in which bucket exports go. */
export type DestinationConfig = z.output<typeof configBody>;

/** What proves to the store who writes. */
export interface Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string | undefined;
}

/** Credentials as requests hold them. */
export const credentialsBody = z
  .object({
    access_key_id: z.string().min(1).max(255),
    secret_access_key: z.string().min(1).max(2048),
    session_token: z.string().max(2048).nullish(),
  })
  .transform(({ session_token, ...keys }): Credentials =>
    session_token ? { ...keys, session_token } : keys,
  );

/** A destination as clients see it: of its credentials only the names. */
export interface Destination {
  readonly id: string;
  readonly tenant_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Empty when the credentials come from the environment of the Local Platform. */
  readonly credentials_keys: readonly string[];
  readonly destination_type: "s3";
  readonly display_name: string;
  readonly config: DestinationConfig;
}
