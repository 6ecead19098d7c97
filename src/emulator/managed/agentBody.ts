import * as z from "zod";
import { record } from "../kit/schemas.ts";

const users = z.array(z.string().min(1)).default([]);
const filled = z.string().refine((text) => text.trim() !== "", "This must not be blank.");
const slug = filled.regex(/^[\p{L}\p{N} _-]+$/u, "Only letters, digits, spaces, _ and - are allowed here.");
const path = z.string().max(512).refine(isInside, "A path is relative and stays inside the agent's files.");
const seconds = z.int().min(0);

/** Who may see and run an agent. */
export const permissionsBody = z.looseObject({
  identity: z.enum(["personal", "shared"]).default("personal"),
  visibility: z.enum(["tenant", "user"]).default("tenant"),
  tenant_access_level: z.enum(["read", "run", "write"]).default("read"),
  shared_users: z.looseObject({ read: users, run: users, update: users }).optional(),
});

/** Where an agent works (docs/interface.md, "Managed agent backend object"). */
const backendBody = z
  .looseObject({
    type: z.enum(["state", "sandbox"]),
    sandbox_config: z
      .looseObject({
        scope: z.enum(["thread", "agent"]).optional(),
        snapshot_id: z.string().optional(),
        policy_ids: z.array(z.string()).optional(),
        idle_ttl_seconds: seconds.optional(),
        delete_after_stop_seconds: seconds.optional(),
      })
      .optional(),
  })
  .refine(({ type, sandbox_config }) => type === "sandbox" || sandbox_config === undefined, {
    path: ["sandbox_config"],
    message: "Only a backend of type sandbox has a sandbox_config.",
  });

/** The tools of an agent or a subagent: the content of its tools.json. */
export const toolsBody = z.looseObject({
  tools: z
    .array(
      z.looseObject({
        name: filled,
        mcp_server_url: z.url({ protocol: /^https?$/ }),
        mcp_server_name: z.string().optional(),
        display_name: z.string().optional(),
      }),
    )
    .default([]),
  interrupt_config: z
    .record(z.string(), z.boolean())
    .default({})
    .describe("By `{server url}::{tool}` or by the tool's bare name: whether a person is asked first."),
});

const subagent = z.looseObject({
  name: slug,
  description: z.string().optional(),
  model_id: z.string().optional(),
  instructions: z.string().optional(),
  tools: toolsBody.optional(),
});

const skill = z.looseObject({
  type: z.literal("inline").default("inline"),
  name: slug,
  description: z.string().default(""),
  instructions: z.string().default(""),
  files: z.record(path, z.string()).optional(),
});

/** A file of an agent, or a link to a skill that is kept elsewhere. A bare text counts as a file's content. */
const file = z.union([
  z.looseObject({ type: z.literal("skill"), repo_handle: filled, commit_id: z.string().optional() }),
  z.looseObject({ type: z.literal("file").default("file"), content: z.string() }),
  z.string().transform((content) => ({ type: "file" as const, content })),
]);

const named = {
  permissions: permissionsBody,
  runtime: z.looseObject({ model: z.looseObject({ model_id: filled }).optional() }),
  backend: backendBody,
  system_prompt: z.string(),
  instructions: z.string().describe("An older name of system_prompt, which wins when both are given."),
  tools: toolsBody,
  subagents: z.array(subagent).refine(differ, "Two of these have the same name."),
  skills: z.array(skill).refine(differ, "Two of these have the same name."),
  extras: record,
  configurable: record,
  files: z.record(path, file),
};
const optional = z.looseObject(named).partial();

/** What creates an agent: only the name is required. */
export const createAgentBody = optional.extend({ name: filled, description: z.string().optional() });

/** What changes an agent; what is left out stays as it is. */
export const updateAgentBody = optional.extend({
  name: filled.optional(),
  description: z.string().optional(),
  deleted_paths: z.array(path).optional(),
});

/** What a copy of an agent may have of its own. */
export const cloneAgentBody = z.looseObject({
  name: filled.optional(),
  permissions: permissionsBody.optional(),
});

/** A checked order for an agent. */
export type CreateAgentBody = z.output<typeof createAgentBody>;
/** A checked change of an agent. */
export type UpdateAgentBody = z.output<typeof updateAgentBody>;
/** Where an agent works. */
export type Backend = z.output<typeof backendBody>;
/** Who may see and run it. */
export type Permissions = z.output<typeof permissionsBody>;
/** Its tools, and which of them ask first. */
export type Tools = z.output<typeof toolsBody>;
/** An agent that it hands work to. */
export type Subagent = z.output<typeof subagent>;
/** Instructions that it reads when it needs them. */
export type Skill = z.output<typeof skill>;
/** A file of its tree, or a link to a skill. */
export type AgentFile = z.output<typeof file>;

/** Whether a path names something below the root of a file tree, in one way only. */
function isInside(text: string): boolean {
  if (/[\\\p{Cc}]/u.test(text)) return false;
  return text.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

function differ(items: readonly { readonly name: string }[]): boolean {
  return new Set(items.map(({ name }) => name.toLowerCase())).size === items.length;
}
