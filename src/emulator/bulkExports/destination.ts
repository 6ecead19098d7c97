import type { JsonObject } from "../kit/json.ts";

/** How requests can name a bucket: in the host, in the path, or as fits the endpoint. */
export const addressingStyles = ["virtual", "path", "auto"] as const;

/** Where in which bucket exports go (docs/interface.md, "Bulk-export destination"). Members this platform does not know are kept. */
export interface DestinationConfig {
  readonly bucket_name: string;
  readonly prefix: string;
  readonly region?: string | undefined;
  readonly endpoint_url?: string | undefined;
  /** False when the endpoint's host already names the bucket. */
  readonly include_bucket_in_prefix: boolean;
  readonly config_kwargs_s3?:
    ({ readonly addressing_style?: AddressingStyle | undefined } & JsonObject) | undefined;
  /** Further parameters of each write, such as `ServerSideEncryption`. */
  readonly s3_additional_kwargs?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** One of them. */
export type AddressingStyle = (typeof addressingStyles)[number];

/** What proves to the store who writes. */
export interface Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token?: string | undefined;
}

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
