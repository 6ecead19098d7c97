/** The last question before something is done that can't be undone, or that changes production. */

import type { ConnectionSetting } from "../../connections/connection.ts";
import { askText } from "../../kit/ask/questions.ts";
import { confirm } from "../../kit/notice.ts";

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

/** Asks whether to go on, by typing the name on a protected connection; throws CancellationError when the person does not. */
export async function confirmAct(
  connection: Pick<ConnectionSetting, "name" | "protected">,
  { name, question, detail, verb, always }: GuardedAct,
): Promise<void> {
  if (connection.protected === true) {
    await askText(
      { title: question },
      {
        prompt: `${detail} “${connection.name}” is protected: type ${name} and press Enter to go on, or Escape to leave it.`,
        placeholder: name,
        problem: (typed) => (typed === name ? undefined : `${verb} only after ${name} is typed.`),
      },
    );
  } else if (always) await confirm(question, detail, verb);
}
