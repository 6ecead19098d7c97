/** What a person asked for, known to everything that is done for it, down to its last request. */

import { AsyncLocalStorage } from "node:async_hooks";

/** Something that a person started: a command, the save of a document, a message of the run panel. */
export class Action {
  /** What it is called in questions and in the audit log: "Delete Thread". */
  readonly name: string;
  #ended = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether all is done: what goes on after that, nobody asked for. */
  get ended(): boolean {
    return this.#ended;
  }

  end(): void {
    this.#ended = true;
  }
}

const actions = new AsyncLocalStorage<Action>();

/** Does the work of an action. What the work starts without waiting for it is no part of the action once that has ended. */
export async function act<T>(name: string, work: (action: Action) => Promise<T>): Promise<T> {
  const action = new Action(name);
  try {
    return await actions.run(action, () => work(action));
  } finally {
    action.end();
  }
}

/** The action that the caller works for; undefined where nobody asked for the work, as in a poll. */
export function currentAction(): Action | undefined {
  const action = actions.getStore();
  return action?.ended === false ? action : undefined;
}
