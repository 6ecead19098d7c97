/** What a person is asked before a request of the page changes something on a protected connection. */

import * as vscode from "vscode";

import { act, approve, confirmAct, type GuardedAct } from "../connections/guard.ts";
import type { Connections } from "../connections/connections.ts";
import type { PageRequest } from "./pageRequests.ts";

/** The requests that change something, and how they are asked about. */
interface Change extends Pick<GuardedAct, "question" | "verb" | "isUrgent"> {
  /** What it is called in the audit log. */
  readonly name: string;
}

const changes: { readonly [Type in PageRequest["type"]]?: Change } = {
  start: { name: "Run", question: "Start this run?", verb: "Run" },
  stop: { name: "Stop Run", question: "Stop this run?", verb: "Stop", isUrgent: true },
  decide: { name: "Answer", question: "Send this answer?", verb: "Send" },
  resume: { name: "Answer", question: "Send this answer?", verb: "Send" },
  feedback: { name: "Give Feedback", question: "Send this feedback?", verb: "Send" },
};

const longestShown = 300;

/** The guard of one panel. */
export class PanelGuard {
  readonly #connectionId: string;
  readonly #connections: Pick<Connections, "resolve">;
  /** The person wants no more questions as long as this panel is open. */
  #agreed = false;

  constructor(connectionId: string, connections: Pick<Connections, "resolve">) {
    this.#connectionId = connectionId;
    this.#connections = connections;
  }

  /** Does what the page asked for; `refused` is told when the person does not want that. */
  async run(request: PageRequest, work: () => Promise<void>, refused: () => void): Promise<void> {
    const change = changes[request.type];
    if (change === undefined) return work();
    await act(`Run Panel: ${change.name}`, async () => {
      try {
        await this.#ask(change, request);
      } catch (error) {
        if (!(error instanceof vscode.CancellationError)) throw error;
        refused();
        return;
      }
      await work();
    });
  }

  async #ask({ question, verb, isUrgent = false }: Change, request: PageRequest): Promise<void> {
    const connection = this.#connections.resolve(this.#connectionId);
    if (this.#agreed) {
      approve(connection);
      return;
    }
    await confirmAct(connection, {
      ...{ question, verb, isUrgent, detail: textOf(request), always: false },
      lasting: {
        label: `${verb}, and Ask No More in This Panel`,
        chosen: () => {
          this.#agreed = true;
        },
      },
    });
  }
}

/** What is sent, as far as a question has room for it. */
function textOf(request: PageRequest): string {
  switch (request.type) {
    case "start":
      return cut(
        "text" in request.request.input ? request.request.input.text : json(request.request.input.json),
      );
    case "decide":
      return cut(request.decisions.map(({ type }) => type).join(", "));
    case "resume":
      return cut(json(request.value));
    default:
      return "";
  }
}

function json(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}
