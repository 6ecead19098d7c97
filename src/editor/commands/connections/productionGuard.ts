/** The last question before something is done that can't be undone, or that changes production. */

import type { ConnectionSetting } from "../../connections/connection.ts";
import { askText } from "../../kit/ask/questions.ts";
import { showWarning } from "../../kit/notice.ts";

/** What is about to be done. */
export interface GuardedAct {
  /** The name of what it is done to, or what else a person types who means it. */
  readonly name: string;
  /** What the question is about: "Delete the deployment “support-agent”?" */
  readonly question: string;
  /** What becomes of it. */
  readonly detail: string;
  /** What the button says: "Delete". */
  readonly verb: string;
  /** Whether a connection that is not protected asks, too. */
  readonly always: boolean;
}

/** Whether a person wants it done: on a protected connection the name has to be typed, or nothing follows. */
export async function mayProceed(
  connection: Pick<ConnectionSetting, "name" | "protected">,
  act: GuardedAct,
): Promise<boolean> {
  if (connection.protected === true) return typesName(connection.name, act);
  if (!act.always) return true;
  const options = { modal: true, detail: act.detail };
  return (await showWarning(act.question, options, act.verb)) === act.verb;
}

async function typesName(connection: string, { name, question, detail, verb }: GuardedAct): Promise<boolean> {
  await askText(
    { title: question },
    {
      prompt: `${detail} “${connection}” is protected: type ${name} and press Enter to go on, or Escape to leave it.`,
      placeholder: name,
      problem: (typed) => (typed === name ? undefined : `${verb} only after ${name} is typed.`),
    },
  );
  return true;
}
