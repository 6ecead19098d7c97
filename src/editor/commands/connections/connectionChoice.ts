/** Which connection a command is about: the tree node's, or the one that a person chooses. */

import type { ConnectionSetting } from "../../connections/connection.ts";
import { isProtected, markIcon } from "../../connections/mark.ts";
import { showWarning } from "../../kit/notice.ts";
import { adviceFor, adviceText, NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { KIND_NAMES } from "./connectionDraft.ts";
import { refOf } from "../../kit/ask/meant.ts";
import { askChoice, type Choice } from "../../kit/ask/questions.ts";
import { oneLine, withoutIcons } from "../../kit/words.ts";

/** What is asked, and which connections are meant. */
export interface ChoiceOptions {
  readonly title?: string;
  readonly placeholder: string;
  /** Ask even when there is only one. */
  readonly alwaysAsk?: boolean;
  readonly accept?: (connection: ConnectionSetting) => boolean;
  /** What is said when there is no such connection. */
  readonly none?: string;
}

/** Throws NotPossibleError when there is nothing to choose, and CancellationError when the person gave up. */
export async function chooseConnection(
  { connections }: Services,
  node: unknown,
  options: ChoiceOptions,
): Promise<ConnectionSetting> {
  const named = refOf(node, "connectionId");
  if (named !== undefined)
    return connections.get(named.connectionId) ?? connections.resolve(named.connectionId);
  const candidates = connections.list().filter(options.accept ?? (() => true));
  const [only] = candidates;
  if (only === undefined) {
    throw new NotPossibleError(
      options.none ?? "There is no connection yet.",
      `Use “Agents: Add Connection”, or start the Local Platform.`,
      ["addConnection", "startLocalPlatform"],
    );
  }
  if (candidates.length === 1 && options.alwaysAsk !== true) return only;
  const current = connections.default()?.id;
  const choices = candidates.map((value) => ({ ...describe(value, current), value }));
  const active = candidates.find(({ id }) => id === current) ?? only;
  const { title = "Connections", placeholder } = options;
  return askChoice({ title }, choices, { placeholder, active });
}

/** The platform that a row is on, the only one, or the one that a person chooses; throws when there is none. */
export function choosePlatform(services: Services, node: unknown, title: string): Promise<ConnectionSetting> {
  const platforms = new Set(services.platforms.list().map(({ id }) => id));
  return chooseConnection(services, node, {
    title,
    placeholder: "On which platform?",
    accept: ({ id }) => platforms.has(id),
    none: "There is no connection to a platform.",
  });
}

/**
 * What all connections, or servers, give together: one that can't be asked hides no other. Throws the first failure when
 * none gives anything.
 */
export async function askEach<Asked, T>(
  asked: readonly Asked[],
  ask: (one: Asked) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const answers = await Promise.allSettled(asked.map(ask));
  const given = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failed = answers.find((answer) => answer.status === "rejected");
  if (given.length === 0 && failed !== undefined) throw failed.reason;
  return given;
}

/**
 * Like `askEach`, where a person counts on having them all: says which could not be asked. Throws the signal's reason when
 * it was aborted, however much was given by then.
 */
export async function askEachAloud<Asked extends { readonly name: string }, T>(
  asked: readonly Asked[],
  ask: (one: Asked) => Promise<readonly T[]>,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const left: { readonly name: string; readonly error: unknown }[] = [];
  const given = await askEach(asked, async (one) => {
    try {
      return await ask(one);
    } catch (error) {
      left.push({ name: one.name, error });
      throw error;
    }
  }).finally(() => signal?.throwIfAborted());
  const [first] = left;
  if (first === undefined) return given;
  const names = left.map(({ name }) => `“${oneLine(name)}”`).join(", ");
  void showWarning(`Left out: ${names}. ${adviceText(adviceFor(first.error))}`);
  return given;
}

/** A connection as a row of a list. */
export function describe(
  connection: ConnectionSetting,
  defaultId: string | undefined,
): Omit<Choice<string>, "value"> {
  const marks = [
    ...(isProtected(connection) ? ["protected"] : []),
    ...(connection.id === defaultId ? ["default"] : []),
  ];
  return {
    label: withoutIcons(connection.name),
    description: [KIND_NAMES[connection.kind], ...marks].join(" · "),
    iconPath: markIcon(connection),
    ...(connection.url === undefined ? {} : { detail: connection.url }),
  };
}
