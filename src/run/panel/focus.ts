/** What puts the focus somewhere on a run panel's page. The page confirms each: what a page got that is gone is sent again. */

import type { ToWebview } from "./messages.ts";

export type Focus = Extract<
  ToWebview,
  { type: "focusComposer" | "fill" | "askInput" | "goTo" | "search" | "showGraph" | "timeline" }
>;
