import * as z from "zod";
import { record } from "../kit/schemas.ts";
import { sources } from "./deployment.ts";

const text = z.string().max(4096).nullish();

/** Where a running agent server is; a name and a password in it would be shown to every reader. */
const agentServerUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "The URL must not hold a name or a password.")
  .refine((url) => !/[?#]/.test(url), "The URL must have neither a query nor a fragment.");

const sourceConfig = z.looseObject({
  integration_id: z.uuid().nullish(),
  repo_url: z.url({ protocol: /^https?$/ }).nullish(),
  deployment_type: z.enum(["dev_free", "dev", "prod", "dev_zero", "dev_free_zero"]).nullish(),
  build_on_push: z.boolean().nullish(),
  custom_url: agentServerUrl.nullish().describe("A running agent server that the deployment fronts."),
  resource_spec: record.nullish(),
  listener_id: z.uuid().nullish(),
  listener_config: record.nullish(),
  install_command: text,
  build_command: text,
});

const sourceRevisionConfig = z.looseObject({
  repo_ref: text,
  langgraph_config_path: text,
  image_uri: text,
  source_tarball_path: text,
});

const secrets = z
  .array(
    z.looseObject({
      name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, "This is not the name of a variable."),
      value: z.string().max(65_536),
    }),
  )
  .max(500);

const secretReferences = z
  .array(
    z.looseObject({ name: z.string().min(1), secret_name: z.string().min(1), secret_key: z.string().min(1) }),
  )
  .max(500);

/** A new deployment. */
export const createBody = z.looseObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .refine((name) => !/\p{Cc}/u.test(name), "The name must not hold control characters."),
  display_name: z.string().max(256).nullish(),
  source: z.enum(sources),
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: secrets.nullish(),
  secret_references: secretReferences.nullish(),
});

/** A change, or a new revision: what is absent or null stays as it is. */
export const patchBody = z.looseObject({
  name: z.string().nullish(),
  source: z.string().nullish(),
  display_name: z.string().max(256).nullish(),
  revision_source: z.enum(sources).nullish(),
  source_config: sourceConfig.nullish(),
  source_revision_config: sourceRevisionConfig.nullish(),
  secrets: secrets.nullish(),
  secret_references: secretReferences.nullish(),
  tracked_packages: z.array(z.unknown()).nullish(),
});

/** A checked order for a deployment. */
export type CreateBody = z.output<typeof createBody>;
/** A checked change of a deployment. */
export type PatchBody = z.output<typeof patchBody>;
