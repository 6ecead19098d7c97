/** Where and when something of a run happens. */

import type { Section } from "./ledger.ts";
import type { RunDraft } from "./runDraft.ts";
import type { LaneId } from "../panel/transcript.ts";

/** The section, the run and the lane; for what belongs to no run, the thread's. */
export interface Scope {
  readonly section: Section;
  readonly run: RunDraft | undefined;
  readonly lane: LaneId;
  /** Epoch milliseconds; undefined when it does not happen now but is replayed. */
  readonly at: number | undefined;
  /** Told by the thread's state, which knows what was said but not where in the stream. */
  readonly settled?: boolean;
}
