/** What model calls took, in words: what was not reported is never shown as nothing. */

import type { Spent } from "../../run/timeline/spent.ts";
import { count, plural } from "../kit/measures.ts";

const money = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

export const unreported = "not reported";

/** "1,204 in · 88 out"; empty where no model was called. */
export function tokensText({ calls, reported, usage }: Spent): string {
  if (calls === 0) return "";
  if (reported === 0) return unreported;
  const known = `${count(usage.input)} in · ${count(usage.output)} out`;
  return reported === calls ? known : `${known}, ${plural(calls - reported, "call")} ${unreported}`;
}

/** "$0.0031"; empty where no model was called. */
export function costText({ calls, reported, priced, cost }: Spent): string {
  if (calls === 0) return "";
  if (priced > 0) return `${priced < calls ? "at least " : ""}${money.format(cost)}`;
  return reported === 0 ? unreported : "no price";
}
