/** Checks inputs against schemas beside the page, in a worker that is started with the first one. */

import { useCallback, useEffect, useState } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import type { Check } from "../../run/schema/check.ts";
import type { CheckAnswer, CheckRequest } from "../checker/messages.ts";

const longestMs = 3000;
const pauseMs = 150;
const tooLong: Check = { unchecked: "Checking this against the agent's schema takes too long." };
const noWorker: Check = {
  unchecked: "The input can't be checked here: the editor allows the page no worker.",
};
const failed: Check = { unchecked: "This can't be checked against the agent's schema: the check failed." };

/** A text that was checked, and what that came to. */
export interface CheckedText {
  readonly text: string;
  readonly check: Check;
}

/**
 * What is known of a text that is JSON: checked a moment after it was typed, and at once by `checked`, which may be newer
 * than what was last drawn. A schema that takes too long is not tried again.
 */
export function useInputCheck(
  schema: Json | undefined,
  text: string | undefined,
): { readonly known: Check | undefined; readonly checked: (text: string) => Promise<Check | undefined> } {
  const [last, setLast] = useState<CheckedText & { readonly schema: Json }>();
  const checked = useCallback(
    async (text: string) => {
      if (schema === undefined) return undefined;
      const check = await checks.check(schema, text);
      setLast({ schema, text, check });
      return check;
    },
    [schema],
  );
  useEffect(() => {
    if (text === undefined) return undefined;
    const timer = setTimeout(() => void checked(text), pauseMs);
    return () => clearTimeout(timer);
  }, [checked, text]);
  const known = last?.schema === schema && last?.text === text ? last?.check : undefined;
  return { known, checked };
}

/** Checks a JSON text against a schema. */
export function checkText(schema: Json, text: string): Promise<Check> {
  return checks.check(schema, text);
}

interface Asked {
  readonly answer: (check: Check) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The one worker of the page, and what it was asked. */
class InputChecks {
  #worker: Promise<Worker> | undefined;
  /** Schemas that the worker has, by their keys. */
  #sent = new Map<Json, number>();
  readonly #asked = new Map<number, Asked>();
  readonly #slow = new Set<Json>();
  #lastId = 0;
  #isBroken = false;

  async check(schema: Json, text: string): Promise<Check> {
    if (this.#slow.has(schema)) return tooLong;
    if (this.#isBroken) return noWorker;
    let worker: Worker;
    try {
      worker = await (this.#worker ??= this.#start());
    } catch {
      return noWorker;
    }
    const id = ++this.#lastId;
    const known = this.#sent.get(schema);
    const key = known ?? id;
    this.#sent.set(schema, key);
    const request: CheckRequest = { id, key, text, ...(known === undefined && { schema }) };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(worker, schema, id), longestMs);
      this.#asked.set(id, { answer: resolve, timer });
      worker.postMessage(request);
    });
  }

  async #start(): Promise<Worker> {
    // The page's own files come from another origin, of which no worker may be made.
    const program = await fetch(new URL("inputCheck.js", import.meta.url));
    const address = URL.createObjectURL(new Blob([await program.text()], { type: "text/javascript" }));
    const worker = new Worker(address);
    let hasAnswered = false;
    worker.addEventListener("message", ({ data }: MessageEvent<CheckAnswer>) => {
      hasAnswered = true;
      this.#answer(data.id, data.check);
    });
    worker.addEventListener("error", () => {
      // One that has worked is started anew with the next text.
      this.#isBroken = !hasAnswered;
      this.#end(worker, hasAnswered ? failed : noWorker);
    });
    return worker;
  }

  #answer(id: number, check: Check): void {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    clearTimeout(asked?.timer);
    asked?.answer(check);
  }

  /** What else it was asked waits for the same: it is asked anew with the next text. */
  #giveUp(worker: Worker, schema: Json, id: number): void {
    if (!this.#asked.has(id)) return;
    this.#slow.add(schema);
    this.#end(worker, tooLong);
  }

  #end(worker: Worker, check: Check): void {
    worker.terminate();
    this.#worker = undefined;
    this.#sent = new Map();
    for (const id of [...this.#asked.keys()]) this.#answer(id, check);
  }
}

const checks = new InputChecks();
