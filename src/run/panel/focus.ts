/**
 * Messages that move the focus on a run panel's page. The page confirms each; those that were not confirmed are sent
 * again to the next page.
 */

import type { ToWebview } from "./messages.ts";

export type Focus = Extract<
  ToWebview,
  { type: "focusComposer" | "fill" | "askInput" | "goTo" | "search" | "showGraph" | "timeline" }
>;
