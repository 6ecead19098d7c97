import * as z from "zod";
import { record } from "../kit/schemas.ts";

/** Why a command was refused. */
export type ErrorCode =
  | "invalid_argument"
  | "unknown_command"
  | "unknown_error"
  | "no_such_run"
  | "no_such_namespace"
  | "no_such_interrupt"
  | "no_such_checkpoint"
  | "not_supported";

/** A command was refused; it becomes the error envelope. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const options = {
  config: z.looseObject({ configurable: record.nullish() }).nullish(),
  metadata: record.nullish(),
};
const response = z.looseObject({ interrupt_id: z.string().min(1), response: z.unknown().optional() });
const target = z.union([z.string(), z.looseObject({ node: z.string() })]);
const namespace = z.array(z.string()).default([]);

/** The envelope of every command. */
export const commandBody = z.looseObject({
  id: z.int().min(0),
  method: z.string(),
  params: record.nullish(),
});

/** A command in its envelope, its parameters not checked yet. */
export type Command = z.output<typeof commandBody>;

/** The answer to a command; errors have status 200 as well. */
export const commandAnswer = z.union([
  z.object({ type: z.literal("success"), id: z.int(), result: record, meta: record }),
  z.object({
    type: z.literal("error"),
    id: z.int().nullable(),
    error: z.string(),
    message: z.string(),
    meta: record.optional(),
  }),
]);

/** What each command takes, by its method. */
export const params = {
  runStart: z.looseObject({
    assistant_id: z.string().min(1).optional(),
    input: z.unknown().optional(),
    multitask_strategy: z.enum(["reject", "rollback", "interrupt", "enqueue"]).optional(),
    ...options,
  }),
  inputRespond: z.union([
    z.looseObject({ responses: z.array(response).min(1) }),
    response.transform((one) => ({ ...one, responses: [one] })),
  ]),
  respondOptions: z.looseObject({
    update: z.unknown().optional(),
    goto: z.union([target, z.array(target)]).optional(),
    ...options,
  }),
  stateGet: z.looseObject({ namespace, keys: z.array(z.string()).nullish() }),
  listCheckpoints: z.looseObject({
    namespace,
    limit: z.int().min(1).max(1000).default(10),
    before: z.string().optional(),
  }),
  fork: z.looseObject({
    checkpoint_id: z.string().min(1),
    input: z.unknown().optional(),
    config: options.config,
  }),
};

/** A command's parameters in the form of their schema; names in camel case count as the same in snake case. */
export function readParams<Schema extends z.ZodType>(command: Command, schema: Schema): z.output<Schema> {
  const given = Object.entries(command.params ?? {}).map(
    ([name, value]) => [snakeCase(name), value] as const,
  );
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "its params" : issue.path.join(".");
  throw new CommandError("invalid_argument", `${command.method}: ${at}: ${issue?.message ?? "invalid"}`);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
