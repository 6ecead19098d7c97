/** What the run panel's page and its checker say to each other. */

import type { Json } from "../../run/panel/messages.ts";
import type { Check } from "../../run/schema/check.ts";

/** A text to check; the schema comes with the first one that it is for. */
export interface CheckRequest {
  readonly id: number;
  /** Which schema. */
  readonly key: number;
  readonly schema?: Json;
  /** JSON. */
  readonly text: string;
}

/** What came of it. */
export interface CheckAnswer {
  readonly id: number;
  readonly check: Check;
}
