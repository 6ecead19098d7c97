/**
 * What a person asked for, and what stands between that and a protected connection. A command asks in its own words by
 * `confirmAct`; a change that nobody was asked about is asked about when its request is about to leave, by `admit`.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { Change } from "../../api/http.ts";
import { confirm, type Option } from "../kit/notice.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { oneLine } from "../kit/words.ts";
import { type ConnectionSetting, runsHere, type Strictness } from "./connection.ts";

/** What is about to be done. */
export interface GuardedAct {
  /** The name of the target, which a person types to confirm; the connection's name unless given. */
  readonly name?: string;
  /** What the question is about: "Delete the deployment “support-agent”?" */
  readonly question: string;
  /** What becomes of it. */
  readonly detail?: string;
  /** What the button says: "Delete". */
  readonly verb: string;
  /** Whether a connection that is not protected asks, too. */
  readonly always: boolean;
  /** A click is enough, however strict the connection is: for what can't wait. */
  readonly isUrgent?: boolean;
  /** One more button: agree, and be asked no more about acts of this kind. */
  readonly lasting?: Option;
}

/** What a person was asked about a connection within one action. */
interface Given {
  readonly strictness: Strictness;
  /** Where the connection was at that time. */
  readonly addresses: string;
  readonly question: string | undefined;
  /** Rejects where the person did not want it. */
  readonly answer: Promise<void>;
}

/** Something that a person started: a command, the save of a document, a message of the run panel. */
class Action {
  /** What it is called in questions and in the audit log: "Delete Thread". */
  readonly name: string;
  /** What the person was asked, by the connection's id. */
  readonly given = new Map<string, Given>();
  /** Whether all is done: what goes on after that, nobody asked for. */
  ended = false;

  constructor(name: string) {
    this.name = name;
  }
}

const levels: readonly Strictness[] = ["nothing", "click", "word"];
const longestWord = 60;
const actions = new AsyncLocalStorage<Action>();

/** Does the work of an action. What the work starts without waiting for it is no part of the action once that has ended. */
export async function act<T>(name: string, work: () => Promise<T>): Promise<T> {
  const action = new Action(name);
  try {
    return await actions.run(action, work);
  } finally {
    action.ended = true;
  }
}

/** The action that the caller works for; undefined where nobody asked for the work, as in a poll. */
export function currentAction(): Action | undefined {
  const action = actions.getStore();
  return action?.ended === false ? action : undefined;
}

/** How strictly a connection asks before something there is changed. */
export function strictnessOf({ protected: strictness = "nothing" }: ConnectionSetting): Strictness {
  return strictness;
}

/**
 * Asks whether to go on, as strictly as the connection wants; throws CancellationError when the person does not. The
 * answer holds for all that the current action changes on this connection.
 */
export async function confirmAct(connection: ConnectionSetting, guarded: GuardedAct): Promise<void> {
  const wanted = strictnessOf(connection);
  const asked = guarded.isUrgent === true && wanted === "word" ? "click" : wanted;
  if (asked === "nothing" && !guarded.always) return;
  const answer = ask(connection, asked, guarded);
  remember(connection, wanted, answer, guarded.question);
  await answer;
}

/** Like `confirmAct`, for several connections: protected ones ask one by one, all others together. */
export async function confirmOnEach(
  connections: readonly ConnectionSetting[],
  guarded: GuardedAct,
): Promise<void> {
  const distinct = [...new Map(connections.map((connection) => [connection.id, connection])).values()];
  const [guardedOnes, others] = [
    distinct.filter((connection) => strictnessOf(connection) !== "nothing"),
    distinct.filter((connection) => strictnessOf(connection) === "nothing"),
  ];
  for (const connection of guardedOnes) await confirmAct(connection, guarded);
  const [first] = others;
  if (first === undefined) return;
  const name = others.map((connection) => connection.name).join("”, “");
  await confirmAct({ ...first, name }, guarded);
}

/**
 * Asks once about what is done on one or several connections; the detail says what is done where. Those that want a word
 * ask for it afterwards, each on its own.
 */
export async function confirmTogether(
  connections: readonly ConnectionSetting[],
  guarded: GuardedAct,
): Promise<void> {
  const distinct = [...new Map(connections.map((connection) => [connection.id, connection])).values()];
  const strict = distinct.filter((connection) => strictnessOf(connection) === "word");
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1 && strict.length === 0) return confirmAct(only, guarded);
  const question =
    distinct.length === 1 && only !== undefined ? `${only.name}: ${guarded.question}` : guarded.question;
  const marked = distinct.flatMap(({ name, protected: mark }) => (mark === undefined ? [] : `“${name}”`));
  const note = marked.length === 0 ? "" : `Protected: ${marked.join(", ")}.`;
  const detail = [guarded.detail ?? "", note].filter((part) => part !== "").join("\n\n");
  await confirm(question, detail, guarded.verb);
  const short = { ...guarded, detail: "" };
  for (const connection of distinct) {
    if (strict.includes(connection)) await confirmAct(connection, short);
    else approve(connection, question);
  }
}

/** Lets the current action change the connection without a question: the person has agreed before. */
export function approve(connection: ConnectionSetting, question?: string): void {
  remember(connection, strictnessOf(connection), Promise.resolve(), question);
}

/**
 * Lets a change leave when its connection is not protected or a person agreed to it, and asks where nobody was asked
 * yet. Throws CancellationError when the person does not agree, NotPossibleError for a change that no action asked
 * for, and what `read` throws for a connection that is there no more.
 */
export async function admit(read: () => ConnectionSetting, { method, url }: Change): Promise<void> {
  const connection = read();
  const asked = strictnessOf(connection);
  if (asked === "nothing") return;
  const { name } = connection;
  const action = currentAction();
  const { pathname } = new URL(url);
  if (action === undefined) {
    throw new NotPossibleError(
      `“${name}” is protected, and nobody asked for ${method} ${pathname}.`,
      "Do it by a command, which asks you first.",
    );
  }
  if (!covers(action.given.get(connection.id), asked)) {
    const detail = `${method} ${pathname} is sent.`;
    await confirmAct(connection, { question: `${action.name}?`, detail, verb: action.name, always: true });
  }
  const answered = action.given.get(connection.id);
  await answered?.answer;
  if (answered?.addresses === addressesOf(read())) return;
  throw new NotPossibleError(
    `The addresses of “${name}” were changed while you were asked.`,
    "Nothing was sent: do it again.",
  );
}

/** What the current action's person was asked about a connection. */
export function agreedTo(connectionId: string): string | undefined {
  return currentAction()?.given.get(connectionId)?.question;
}

function covers(answered: Given | undefined, asked: Strictness): boolean {
  return answered !== undefined && levels.indexOf(answered.strictness) >= levels.indexOf(asked);
}

function remember(
  connection: ConnectionSetting,
  strictness: Strictness,
  answer: Promise<void>,
  question?: string,
): void {
  currentAction()?.given.set(connection.id, {
    strictness,
    addresses: addressesOf(connection),
    answer,
    question,
  });
}

async function ask(
  { name: connectionName, protected: mark }: ConnectionSetting,
  strictness: Strictness,
  { name, question, detail, verb, lasting }: GuardedAct,
): Promise<void> {
  const isProtected = `“${connectionName}” is protected`;
  const lines = detail === undefined || detail === "" ? [] : [detail];
  if (strictness === "word") {
    const word = wordFor(name, connectionName);
    const how = `${isProtected}: type ${word} and press Enter to go on, or Escape to leave it.`;
    const { askText } = await import("../kit/ask/questions.ts");
    await askText(
      { title: `${connectionName}: ${question}` },
      {
        prompt: [...lines, how].join(" "),
        placeholder: word,
        ...(lasting !== undefined && { option: lasting }),
        problem: (typed) => (typed === word ? undefined : `${verb} only after ${word} is typed.`),
      },
    );
  } else {
    const others = lasting === undefined ? [] : [lasting];
    // Where several windows look the same, the connection comes first.
    const [asked, where] =
      mark === undefined
        ? [question, `This is done on “${connectionName}”.`]
        : [`${connectionName}: ${question}`, `${isProtected}.`];
    await confirm(asked, [...lines, where].join("\n\n"), verb, ...others);
  }
}

/** The word to type: the connection's, where the name is long or has characters that nobody sees. */
function wordFor(name: string | undefined, connectionName: string): string {
  return name !== undefined && name === oneLine(name) && name.length <= longestWord
    ? name
    : oneLine(connectionName);
}

/** Where what is sent goes. */
function addressesOf(setting: ConnectionSetting): string {
  const { kind, url, controlPlaneUrl, agentServers } = setting;
  return runsHere(setting) ? kind : JSON.stringify([url, controlPlaneUrl, agentServers]);
}
