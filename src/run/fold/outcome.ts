/** What a run was given beside messages, and how it ended: what the state held then, and why it failed. */

import type { Json, JsonObject } from "../../api/agentServer/wire.ts";
import { preview } from "../json/preview.ts";
import { redact } from "../json/redact.ts";
import type { Draft, Ledger, Section } from "./drafts/ledger.ts";
import { failureText, type Notice, type NoticeDraft, type Notices } from "./notices.ts";
import type { RunDraft } from "./drafts/runDraft.ts";
import type { StepDraft } from "./drafts/stepDraft.ts";
import type { ValuesEntry } from "../panel/transcript.ts";

/** Why a run failed, where nobody tells. */
export const notKept = "The run failed; the server does not keep why.";

/** The rows at the beginning and at the end of one run, each once however often it is told. */
export class Outcome {
  readonly #ledger: Ledger;
  readonly #notices: Notices;
  readonly #section: Section;
  readonly #run: RunDraft;
  /** The rows that say why it failed, by the step that failed; undefined where that is not known. */
  readonly #failures = new Map<StepDraft | undefined, NoticeDraft>();
  /** What the run's own stream, or its thread, told last of why it failed. */
  #failure: ReturnType<typeof failureText> | undefined;
  /** The extra row for that error, where another one was shown first. */
  #extra: NoticeDraft | undefined;
  readonly #noted = new Set<Draft>();
  #result: ValuesDraft | undefined;

  constructor(
    { ledger, notices }: { readonly ledger: Ledger; readonly notices: Notices },
    section: Section,
    run: RunDraft,
  ) {
    this.#ledger = ledger;
    this.#notices = notices;
    this.#section = section;
    this.#run = run;
  }

  /** Whether it is shown why the run failed. */
  get isFailure(): boolean {
    return this.#failures.size > 0;
  }

  /** Shows what the run was given but for messages. */
  given(input: JsonObject): void {
    const rest = Object.entries(input).filter(([key, value]) => key !== "messages" && value !== undefined);
    if (rest.length === 0) return;
    const row = new ValuesDraft(this.#run.runId, "input");
    row.set(
      rest.map(([key]) => key),
      preview(Object.fromEntries(rest)),
    );
    this.#ledger.add(this.#section, row, this.#run);
  }

  /** Shows what the state held when it ended, but for messages. */
  result({ keys, text }: { readonly keys: readonly string[]; readonly text: string | undefined }): void {
    const row = this.#result ?? new ValuesDraft(this.#run.runId, "result");
    this.#result = row;
    const changed = row.set(keys, text ?? "");
    this.#ledger.putEnd(this.#section, row);
    if (changed) this.#ledger.touch(row);
  }

  /** Says something below a step, unless something was said there. */
  note(head: Draft, notice: Notice): void {
    if (this.#noted.has(head)) return;
    this.#noted.add(head);
    this.#notices.add(this.#section, this.#run.runId, notice, head);
  }

  /** Says why the run failed, in one line, which it returns: it is not known in which step. */
  failed(error: Json): string {
    const failure = failureText(error);
    this.#failure = failure;
    const guessed = [...this.#failures].find(([, row]) => row.build().text === notKept);
    if (guessed !== undefined) {
      const [step, row] = guessed;
      if (row.fail(failure, step?.name)) this.#ledger.touch(row);
      return failure.text;
    }
    const isKnown = [...this.#failures.values()].some((row) => row.build().text === failure.text);
    if (isKnown) return failure.text;
    const row = this.#notices.add(this.#section, this.#run.runId, { level: "error", ...failure });
    if (this.isFailure) this.#extra = row;
    else this.#failures.set(undefined, row);
    return failure.text;
  }

  /**
   * Says in which step the run failed, and why. Where the error is not kept, or may be one of a later run, the streamed
   * one is used. An error that was read earlier may be one of another run that failed in the same step meanwhile.
   */
  failedIn(step: StepDraft, error: Json | undefined, isUnsure: boolean): void {
    const known = this.#failures.get(step) ?? this.#failures.get(undefined);
    const others = [...this.#failures.values()].filter((row) => row !== known);
    const isOthers = others.some((row) => row.build().text === this.#failure?.text);
    const streamed = (error === undefined || isUnsure) && !isOthers ? this.#failure : undefined;
    const failure = streamed ?? (error === undefined ? { text: notKept } : failureText(error));
    const node = step.name;
    this.#failures.delete(undefined);
    const notice = { level: "error", ...failure, node } as const;
    const row = known ?? this.#notices.add(this.#section, this.#run.runId, notice, step);
    this.#failures.set(step, row);
    if (row.fail(failure, node)) this.#ledger.touch(row);
    if (this.#extra !== undefined && failure.text === this.#failure?.text) this.#ledger.remove(this.#extra);
    if (failure.text === this.#failure?.text) this.#extra = undefined;
    this.#ledger.putBelow(this.#section, step, row);
    if (this.#run.assign({ error: failure.text })) this.#ledger.touch(this.#run);
  }
}

/** Its text may change, should a run end anew. */
class ValuesDraft implements Draft {
  readonly id: string;
  readonly lane = "";
  readonly #runId: string;
  readonly #of: ValuesEntry["of"];
  #keys: readonly string[] = [];
  #text = "";

  constructor(runId: string, of: ValuesEntry["of"]) {
    this.id = `${of}:${runId}`;
    this.#runId = runId;
    this.#of = of;
  }

  /** False when that changed nothing. */
  set(keys: readonly string[], text: string): boolean {
    const shown = redact(text);
    if (shown === this.#text) return false;
    this.#keys = keys.filter((key) => key !== "messages");
    this.#text = shown;
    return true;
  }

  build(): ValuesEntry {
    const { id, lane } = this;
    return { kind: "values", id, runId: this.#runId, lane, of: this.#of, keys: this.#keys, text: this.#text };
  }
}
