import { strict as assert } from "node:assert";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";
import type { KeptRun } from "../../../../src/run/history/keptRuns.ts";
import { TranscriptCopy } from "../../../../src/run/panel/transcriptCopy.ts";
import type { Entry } from "../../../../src/run/panel/transcript.ts";
import { wholeTranscriptText } from "../../../support/recordings.ts";

type Told = readonly [event: string, data: Json];

/** A thread of which the page has what the patches told; it begins with a run that is over. */
export class FollowedThread {
  readonly fold = new TranscriptFold();
  readonly #copy = new TranscriptCopy();

  constructor(input: Json = {}) {
    this.open("r", input);
  }

  open(runId: string, input?: Json, resume?: Json): void {
    this.fold.open({ runId, assistantId: "a", status: "success" }, input, { resume });
  }

  keep(root: KeptRun, lanes: Readonly<Record<string, KeptRun>> = {}): void {
    this.fold.keep({ root, lanes: new Map(Object.entries(lanes)), unkept: new Set() });
  }

  /** Of the first run. */
  stream(...events: readonly Told[]): void {
    this.streamOf("r", ...events);
  }

  streamOf(runId: string, ...events: readonly Told[]): void {
    const told = events.map(([event, data]) => ({ event, data: JSON.stringify(data) }));
    this.fold.run(runId).apply(told, 1000, true);
  }

  get entries(): readonly Entry[] {
    const patch = this.fold.ledger.takePatch();
    if (patch !== undefined) this.#copy.apply(patch);
    assert.deepEqual(this.#copy.entries, this.fold.entries());
    return this.#copy.entries;
  }

  get shown(): string {
    return wholeTranscriptText(this.entries);
  }
}
