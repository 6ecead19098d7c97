import * as z from "zod";
import { isLoopback } from "./loopback.ts";

const ownHeaders = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "host",
  "keep-alive",
  "last-event-id",
  "mcp-protocol-version",
  "mcp-session-id",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Where a tool server is: HTTPS, or plain HTTP on this machine, and no credentials in it. */
const serverUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "The URL must not hold a name or a password.")
  .refine((url) => !url.includes("#"), "The URL must have no fragment.")
  .refine(
    (url) => /^https:/i.test(url) || isLoopback(url),
    "Only a tool server on this machine may be reached over plain HTTP.",
  );

const header = z.object({
  key: z
    .string()
    .max(256)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "This is no name of a header.")
    .refine((key) => !ownHeaders.has(key.toLowerCase()), "This header belongs to the connection itself."),
  value: z
    .string()
    .max(8192)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "A header's value is one line of Latin-1 text."),
});

const headers = z
  .array(header)
  .max(50)
  .refine(
    (list) => new Set(list.map(({ key }) => key.toLowerCase())).size === list.length,
    "A header is named twice.",
  )
  .describe("Sent with every request to the tool server; only told to callers who may invoke it.");

const authType = z.enum(["headers", "oauth"]);
const oauthMode = z.enum(["legacy_shared_provider", "per_user_dynamic_client"]);
const label = z.string().max(256);

/** What a tool server is made from. */
export const createServerBody = z.object({
  name: label.refine((name) => name.trim() !== "", "The name must not be blank."),
  url: serverUrl,
  headers: headers.default([]),
  auth_type: authType.default("headers"),
  oauth_provider_id: z.uuid().toLowerCase().nullish(),
  oauth_mode: oauthMode.nullish(),
  vendor_id: label.nullish(),
  external_system_id: label.nullish(),
});

/** What may change: what is absent stays, headers are replaced as a whole. */
export const updateServerBody = z.object({
  name: z.never("The name of a tool server does not change.").optional(),
  url: serverUrl.optional(),
  headers: headers.optional(),
  auth_type: authType.optional(),
  oauth_provider_id: z.uuid().toLowerCase().nullish(),
  oauth_mode: oauthMode.nullish(),
});

/** A checked order for a tool server. */
export type ServerOrder = z.output<typeof createServerBody>;
/** A checked change of one. */
export type ServerChange = z.output<typeof updateServerBody>;
